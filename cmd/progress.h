// cmd/progress.h
//
// Says what is being read, and how much of it there is so far, once that takes longer than a
// second: on one line of a terminal, which is removed before anything else is written there.
//
// Of several clusters that are read at the same time all stand on that line.

#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <ostream>
#include <span>
#include <string>
#include <vector>

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

  // What is read of one of several clusters.
  struct Cluster {
    std::string context;
    std::vector<snapshot::Reading> lists;
  };
  void show(std::span<const Cluster> clusters);

 private:
  bool is_due();
  void replace(std::string line);

  std::ostream& err_;
  std::function<base::Instant()> clock_;
  int width_;
  base::Duration pause_;     // from last_ to the next line
  base::Instant last_ = {};  // the start, or when a line was shown
  std::size_t shown_ = 0;    // characters of the line
};

// The line of several clusters, each of which is read in a thread of its own.
class SharedProgress {
 public:
  SharedProgress(std::ostream& err, std::function<base::Instant()> clock, int width)
      : progress_(err, std::move(clock), width) {}

  void show(const std::string& context, std::span<const snapshot::Reading> lists);

 private:
  std::mutex mutex_;
  Progress progress_;
  std::vector<Progress::Cluster> clusters_;  // that are being read, in the order of their beginning
};

}  // namespace dra::cmd
