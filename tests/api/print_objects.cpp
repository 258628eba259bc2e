// tests/api/print_objects.cpp: what is decoded of objects, for tests/differential/objects_test.go,
// which sends each as JSON and as protobuf.
//
// A line of input has a kind and the bytes of an object in hexadecimal; the answer is one line:
// every field with its value, or "error: ...". The lists of fields are in the sources of the kinds,
// so these are included.

#include <charconv>
#include <iostream>
#include <string>
#include <string_view>

#include "dra/base/text.h"
#include "dra/base/wire.h"
#include "dra/json/parse.h"
#include "src/api/claim.cpp"
#include "src/api/cluster_objects.cpp"
#include "src/api/device_class.cpp"
#include "src/api/pod.cpp"
#include "src/api/slice.cpp"
#include "src/api/storage.cpp"

namespace {

using namespace dra;

// The Io that prints an object's fields.
struct Printer {
  std::string& out;

  template <class M>
  void field(std::string_view name, std::uint32_t, M& member);
  template <auto Set, auto Add = Set, class T>
  void choice(std::string_view, std::uint32_t, T&) {}  // print() knows the values
  template <class M>
  void inlined(std::uint32_t, M& member) {
    fields(*this, member);
  }
};

void print(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\') {
      out += base::format("\\{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  out += '"';
}
void print(std::string& out, std::int64_t number) { out += std::to_string(number); }
void print(std::string& out, bool value) { out += value ? "true" : "false"; }
void print(std::string& out, const api::Quantity& quantity) { print(out, quantity.text); }
void print(std::string& out, const api::RawJson& raw) { print(out, raw.text); }
void print(std::string& out, const base::Instant& at) {
  out += base::format("{}.{}", at.seconds, at.nanos);
}

template <class T>
void print(std::string& out, std::optional<T>& value);
template <class T>
void print(std::string& out, api::Rare<T>& value);
template <class T>
void print(std::string& out, std::vector<T>& list);
template <class T>
void print(std::string& out, api::RareList<T>& list);
template <class T>
void print(std::string& out, api::Entry<T>& entry);

void print(std::string& out, api::DeviceAttribute& value) {
  out += std::to_string(static_cast<int>(value.kind())) + ":";
  using Kind = api::DeviceAttribute::Kind;
  if (value.is_list()) {
    auto lists = value.lists();
    for (std::int64_t number : lists.ints)
      print(out, number);
    for (bool flag : lists.bools)
      print(out, flag);
    print(out, lists.strings);
    print(out, lists.versions);
  } else if (value.kind() == Kind::Int || value.kind() == Kind::Bool) {
    print(out, value.as_int());
  } else if (value.kind() != Kind::None) {
    print(out, value.text());
  }
}

template <class T>
requires api::HasFields<T>
void print(std::string& out, T& object) {
  out += '{';
  Printer printer{out};
  fields(printer, object);
  out += '}';
}

template <class T>
void print(std::string& out, std::optional<T>& value) {
  out += value ? "+" : "-";
  if (value) print(out, *value);
}

template <class T>
void print(std::string& out, api::Rare<T>& value) {
  out += value ? "+" : "-";
  if (value) print(out, *value);
}

template <class T>
void print(std::string& out, std::vector<T>& list) {
  out += '[';
  for (T& item : list) {
    print(out, item);
    out += ',';
  }
  out += ']';
}

template <class T>
void print(std::string& out, api::RareList<T>& list) {
  std::vector<T> items(list.begin(), list.end());
  print(out, items);
}

template <class T>
void print(std::string& out, api::Entry<T>& entry) {
  print(out, entry.key);
  out += ':';
  print(out, entry.value);
}

template <class M>
void Printer::field(std::string_view name, std::uint32_t, M& member) {
  out += name;
  out += '=';
  print(out, member);
  out += ';';
}

std::string bytes_of(std::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(hexadecimal.data() + i, hexadecimal.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

template <class T>
std::string decoded(const std::string& bytes) {
  const base::Page page(bytes);
  base::Arena arena;
  T object;
  if (base::is_wire(page.text())) {
    const auto envelope = base::open_wire(page.text());
    if (!envelope) return "error: damaged";
    json::Reading reading{arena, {}};
    api::decode_wire(reading, envelope->message, object);
    if (reading.failed()) return "error: " + reading.error().message;
  } else {
    const auto read =
        json::read_json(page, arena, [&object](json::Cursor& root) { api::decode(root, object); });
    if (!read.ok()) return "error: " + read.error().message;
  }
  std::string out;
  print(out, object);
  return out;
}

std::string answer(std::string_view kind, const std::string& bytes) {
  if (kind == "ConfigMap") return decoded<api::ConfigMap>(bytes);
  if (kind == "DeviceClass") return decoded<api::DeviceClass>(bytes);
  if (kind == "DeviceTaintRule") return decoded<api::DeviceTaintRule>(bytes);
  if (kind == "Event") return decoded<api::Event>(bytes);
  if (kind == "Namespace") return decoded<api::Namespace>(bytes);
  if (kind == "Node") return decoded<api::Node>(bytes);
  if (kind == "Pod") return decoded<api::Pod>(bytes);
  if (kind == "ResourceClaim") return decoded<api::ResourceClaim>(bytes);
  if (kind == "ResourceClaimTemplate") return decoded<api::ResourceClaimTemplate>(bytes);
  if (kind == "PodDisruptionBudget") return decoded<api::PodDisruptionBudget>(bytes);
  if (kind == "ResourceQuota") return decoded<api::ResourceQuota>(bytes);
  if (kind == "ResourceSlice") return decoded<api::ResourceSlice>(bytes);
  if (kind == "CSIDriver") return decoded<api::CsiDriver>(bytes);
  if (kind == "CSINode") return decoded<api::CsiNode>(bytes);
  if (kind == "CSIStorageCapacity") return decoded<api::CsiStorageCapacity>(bytes);
  if (kind == "PersistentVolume") return decoded<api::PersistentVolume>(bytes);
  if (kind == "PersistentVolumeClaim") return decoded<api::PersistentVolumeClaim>(bytes);
  if (kind == "StorageClass") return decoded<api::StorageClass>(bytes);
  if (kind == "VolumeAttachment") return decoded<api::VolumeAttachment>(bytes);
  return "error: unknown kind";
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t space = line.find(' ');
    std::cout << answer(line.substr(0, space), bytes_of(std::string_view(line).substr(space + 1)))
              << '\n'
              << std::flush;
  }
}
