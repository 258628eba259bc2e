// src/session/token_file.cpp: see token_file.h.

#include "src/session/token_file.h"

#include <optional>
#include <utility>

#include "dra/base/files.h"
#include "src/session/credentials.h"

namespace dra::session {
namespace {

constexpr std::size_t kMaxTokenFile = std::size_t{4} << 20U;
// client-go uses a token for a minute after it was read, less a leeway of ten seconds.
constexpr base::Duration kFresh = base::Duration::seconds(50);

class FileAuthenticator final : public Authenticator {
 public:
  FileAuthenticator(TokenFile file, const Environment& environment)
      : file_(std::move(file)), environment_(environment) {}

  Result<Credentials> current() override {
    const bool fresh = read_at_ && environment_.now() - *read_at_ < kFresh;
    if (!fresh) {
      const Result<Done> done = read();
      // While the file cannot be read, the last good token is used.
      if (!done.ok() && !read_at_ && file_.otherwise.token.empty()) return done.error();
    }
    Credentials credentials = file_.otherwise;
    if (read_at_) credentials.token = token_;
    return credentials;
  }

  bool refused(const Credentials& used) override { return read().ok() && token_ != used.token; }

 private:
  Result<Done> read() {
    const std::string text =
        DRA_TRY(base::read_file(file_.path, kMaxTokenFile).context(file_.place));
    token_ = DRA_TRY(checked_token(text).context(file_.place));
    read_at_ = environment_.now();
    return Done{};
  }

  TokenFile file_;
  Environment environment_;
  std::string token_;
  std::optional<base::Instant> read_at_;
};

}  // namespace

std::shared_ptr<Authenticator> make_token_file(TokenFile file, const Environment& environment) {
  return std::make_shared<FileAuthenticator>(std::move(file), environment);
}

}  // namespace dra::session
