// tests/session/kubeconfig_text.h
//
// Kubeconfigs for tests, in the fewest lines.

#pragma once

#include <string>

namespace dra::session {

inline const std::string kServer = "server: 'https://host:6443'";

// The pieces are YAML in flow style; cluster c is on line 4, user u on line 7, context x on
// line 10.
inline std::string config(const std::string& cluster, const std::string& user,
                          const std::string& context = "cluster: c, user: u") {
  return "current-context: x\nclusters:\n- name: c\n  cluster: {" + cluster +
         "}\nusers:\n- name: u\n  user: {" + user + "}\ncontexts:\n- name: x\n  context: {" +
         context + "}\n";
}

inline std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
    text.replace(at, old.size(), by);
  }
  return text;
}

}  // namespace dra::session
