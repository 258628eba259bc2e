// tests/support/certificates.cpp: see certificates.h.

#include "tests/support/certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdlib>

namespace dra::support {
namespace {

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Certificate = std::unique_ptr<X509, Free>;

void must(bool done) {
  if (!done) std::abort();
}

Key new_key() { return Key(EVP_EC_gen("P-256")); }

void extend(X509* certificate, X509* issuer, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Free> extension(
      X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str()));
  must(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1);
}

Certificate new_certificate(EVP_PKEY* key, const char* name, long serial, long seconds) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -7200);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), seconds);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  X509_set_pubkey(certificate.get(), key);
  return certificate;
}

template <class Write>
std::string written(Write write) {
  const std::unique_ptr<BIO, Free> bio(BIO_new(BIO_s_mem()));
  must(write(bio.get()) == 1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

std::string pem_of(EVP_PKEY* key) {
  return written([&](BIO* bio) {
    return PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

}  // namespace

std::string pem_of(X509* certificate) {
  return written([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

struct TestCa::Keys {
  explicit Keys(const char* name) : certificate(new_certificate(key.get(), name, 1, 3600)) {}
  Key key = new_key();
  Certificate certificate;
};

TestCa::TestCa(const char* name) : keys_(std::make_unique<Keys>(name)) {
  X509* own = keys_->certificate.get();
  X509_set_issuer_name(own, X509_get_subject_name(own));
  extend(own, own, NID_basic_constraints, "critical,CA:TRUE");
  extend(own, own, NID_subject_key_identifier, "hash");
  must(X509_sign(own, keys_->key.get(), EVP_sha256()) > 0);
  certificate_pem_ = pem_of(own);
}
TestCa::~TestCa() = default;

Identity TestCa::issue(const std::string& names, long seconds) const {
  const Key key = new_key();
  const Certificate certificate = new_certificate(key.get(), "test", 2, seconds);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(keys_->certificate.get()));
  extend(certificate.get(), keys_->certificate.get(), NID_subject_alt_name, names);
  must(X509_sign(certificate.get(), keys_->key.get(), EVP_sha256()) > 0);
  return {pem_of(certificate.get()), pem_of(key.get())};
}

Identity TestCa::identity() const { return {certificate_pem_, pem_of(keys_->key.get())}; }

}  // namespace dra::support
