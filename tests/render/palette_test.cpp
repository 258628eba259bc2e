// tests/render/palette_test.cpp: whether people can read what is in a colour, and tell colours
// apart.

#include "src/render/palette.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "dra/base/text.h"
#include "dra/render/page.h"

namespace dra::render::palette_test {
namespace {

using view::Tone;

constexpr int kLetters = 36;  // of claims, in one picture
constexpr double kLegible = 4.5;
constexpr std::array kThemes = {&Colour::light, &Colour::dark};
constexpr std::array kTones = {Tone::Plain, Tone::Strong, Tone::Dim,
                               Tone::Good,  Tone::Warn,   Tone::Bad};

using Three = std::array<double, 3>;

// Red, green and blue as amounts of light.
Three light_of(std::string_view colour) {
  Three light{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    light[i] = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  }
  return light;
}

// As the WCAG define it.
double contrast(std::string_view a, std::string_view b) {
  const auto luminance = [](std::string_view colour) {
    const Three light = light_of(colour);
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] + 0.05;
  };
  const auto [less, more] = std::minmax({luminance(a), luminance(b)});
  return more / less;
}

double mixed(const Three& light, const Three& weights) {
  return light[0] * weights[0] + light[1] * weights[1] + light[2] * weights[2];
}

// How different two colours look: in Oklab, where black is 100 from white.
double distance(std::string_view a, std::string_view b) {
  const auto seen = [](std::string_view colour) {
    const Three light = light_of(colour);
    const Three cones = {std::cbrt(mixed(light, {0.4122214708, 0.5363325363, 0.0514459929})),
                         std::cbrt(mixed(light, {0.2119034982, 0.6806995451, 0.1073969566})),
                         std::cbrt(mixed(light, {0.0883024619, 0.2817188376, 0.6299787005}))};
    return Three{mixed(cones, {0.2104542553, 0.7936177850, -0.0040720468}),
                 mixed(cones, {1.9779984951, -2.4285922050, 0.4505937099}),
                 mixed(cones, {0.0259040371, 0.7827717662, -0.8086757660})};
  };
  const Three first = seen(a);
  const Three second = seen(b);
  return 100 * std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("marks can be read in their squares, and text on the page") {
  for (const auto theme : kThemes) {
    for (const Tone tone : kTones) {
      const std::string_view letters = letters_of(tone).*theme;
      CAPTURE(letters);
      CHECK(contrast(letters, surface_of(tone).*theme) >= kLegible);
      CHECK(contrast(letters, kPageColour.*theme) >= kLegible);
    }
    for (int group = 0; group < kLetters; ++group) {
      CAPTURE(group);
      CHECK(contrast(letters_in_groups().*theme, colour_of_group(group).*theme) >= kLegible);
    }
  }
}

TEST_CASE("claims can be told from what is free, and from each other") {
  for (const auto theme : kThemes) {
    for (int group = 0; group < kLetters; ++group) {
      CAPTURE(group);
      const std::string_view colour = colour_of_group(group).*theme;
      CHECK(distance(colour, surface_of(Tone::Good).*theme) > 13);
      CHECK(distance(colour, kPageColour.*theme) > 12);
      for (const Tone tone : kTones)
        CHECK(distance(colour, surface_of(tone).*theme) > 7);
      for (int before = 0; before < group; ++before) {
        CAPTURE(before);
        // Few pictures have more than a dozen.
        const double least = group < 8 ? 10 : group < 12 ? 8.5 : 5.5;
        CHECK(distance(colour, colour_of_group(before).*theme) > least);
      }
    }
  }
}

TEST_CASE("a warning on a claim's square is an edge, not the colour of its letters") {
  const view::Place tainted = {.mark = {"Ax", Tone::Warn}, .group = 0, .about = "tainted"};
  CHECK(classes_of(tainted) == "place warn g0");
  CHECK(classes_of_mark(tainted) == "mark");
  view::Place of_nobody = tainted;
  of_nobody.group = -1;
  CHECK(classes_of_mark(of_nobody) == "mark warn");

  const std::string page = colour_rules(Medium::Page, {0});
  const std::string ink(letters_in_groups().light);
  CHECK(contains(page, base::format(".place.g0{{background-color:{};color:{}}}",
                                    colour_of_group(0).light, ink)));
  CHECK(contains(page, base::format("border-color:{}", letters_of(Tone::Warn).light)));
}

TEST_CASE("pages and pictures have the same colours, each in light and in dark") {
  const auto in_dark = [](const std::string& rules) {
    return rules.substr(rules.find("@media (prefers-color-scheme:dark){"));
  };
  const std::string page = in_dark(colour_rules(Medium::Page, {}));
  const std::string picture = in_dark(colour_rules(Medium::Picture, {}));
  for (const Tone tone : {Tone::Warn, Tone::Bad}) {
    const std::string edge(letters_of(tone).dark);
    CHECK(contains(page, "border-color:" + edge));
    CHECK(contains(picture, "stroke:" + edge));
    CHECK(contrast(edge, kPageColour.dark) >= kLegible);
  }
  // Whoever writes a colour elsewhere forgets one of the two.
  const view::Document empty;
  for (std::string text : {render_html(empty, {}), render_svg(empty, {})}) {
    for (const Medium medium : {Medium::Page, Medium::Picture}) {
      const std::string rules = colour_rules(medium, {});
      const std::size_t at = text.find(rules);
      if (at != std::string::npos) text.erase(at, rules.size());
    }
    CHECK(text.find(":#") == std::string::npos);
    CHECK(text.find(" #") == std::string::npos);
  }
}

}  // namespace
}  // namespace dra::render::palette_test
