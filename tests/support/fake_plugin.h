// tests/support/fake_plugin.h
//
// A credential plugin for tests: a shell script that answers what it is told to, and keeps what it
// was given.

#pragma once

#include <algorithm>
#include <string>

#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace dra::support {

class FakePlugin {
 public:
  static constexpr const char* kSystemPath = "/usr/bin:/bin";

  // The program is NAME in a directory of its own.
  explicit FakePlugin(const std::string& name = "plugin") : name_(name) {
    write(path(), "#!/bin/sh\ncd " + directory_.path() +
                      "\necho run >>runs\nenv >env\n"
                      "printf '%s' \"$KUBERNETES_EXEC_INFO\" >info\n"
                      "printf '%s\n' \"$@\" >arguments\ncat >input\n. ./ending\n");
    directory_.write("runs", "");
    ends_with("");
  }

  std::string path() const { return directory_.path(name_); }
  std::string directory() const { return directory_.path(); }
  // PATH with the plugin in it.
  std::string search_path() const { return directory() + ":" + kSystemPath; }

  // Standard output, and what the script does after it.
  void answers(const std::string& output) const {
    directory_.write("answer", output);
    ends_with("cat answer");
  }
  void answers_token(const std::string& token, const std::string& expires = {}) const {
    const std::string expiry =
        expires.empty() ? "" : ",\"expirationTimestamp\":\"" + expires + "\"";
    answers(
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\","
        "\"status\":{\"token\":\"" +
        token + "\"" + expiry + "}}");
  }
  void ends_with(const std::string& script) const { directory_.write("ending", script + "\n"); }

  std::ptrdiff_t runs() const {
    const std::string text = recorded("runs");
    return std::count(text.begin(), text.end(), '\n');
  }
  // env, info, arguments or input, of the last run.
  std::string recorded(const std::string& what) const { return read(directory_.path(what)); }

 private:
  TempDir directory_;
  std::string name_;
};

}  // namespace dra::support
