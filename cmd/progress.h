// cmd/progress.h
//
// Says what is being read, and how much of it there is so far, once that takes longer than a
// second: on one line of a terminal, which is removed before anything else is written there.

#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <span>

#include "dra/base/time.h"
#include "dra/snapshot/load.h"

namespace dra::cmd {

class Progress {
 public:
  // Without a clock nothing is shown. `width` is the terminal's, in columns.
  Progress(std::ostream& err, std::function<base::Instant()> clock, int width);

  // Replaces the line, a few times a second at most. Nothing to read: removes it.
  void show(std::span<const snapshot::Reading> lists);
  // Removes the line.
  void clear();

 private:
  std::ostream& err_;
  std::function<base::Instant()> clock_;
  int width_;
  base::Duration pause_;     // from last_ to the next line
  base::Instant last_ = {};  // the start, or when a line was shown
  std::size_t shown_ = 0;    // characters of the line
};

}  // namespace dra::cmd
