// src/render/page_style.h: the layout of pages. Colours are in palette.cpp.

#pragma once

#include <string_view>

namespace dra::render {

// Blocks wider than the window have a scroll bar that stays visible, as far as browsers allow it,
// and a shadow at the right edge while there is more behind it, because a screenshot does not
// scroll. The shadow is fixed; a cover scrolls with the end of the block and hides it there.
inline constexpr std::string_view kStyleOfWide =
    ".scroll,.plane{overflow-x:auto;background:linear-gradient(to right,transparent,var(--page) "
    "1rem) right/2rem 100% no-repeat local,linear-gradient(to left,var(--line),transparent) "
    "right top/.75rem calc(100% - 1px) no-repeat "
    "scroll}.scroll::-webkit-scrollbar,.plane::-webkit-scrollbar{"
    "height:.5rem}.scroll::-webkit-scrollbar-thumb,.plane::-webkit-scrollbar-thumb{background:"
    "var(--line);border-radius:.25rem}";

inline constexpr std::string_view kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:110ch;margin:1.5rem;padding-bottom:40vh}"
    "pre,code,figure,.row{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
    "h1{font-size:1.25rem;margin:0}h2,h3,p{font-size:inherit;margin:0;white-space:pre-wrap;"
    "overflow-wrap:anywhere;padding-left:var(--hang,2ch);text-indent:calc(0ch - var(--hang,2ch))}"
    "h2,h3{font-weight:400}section{margin-top:2rem;padding-top:.75rem;border-top:1px solid "
    "var(--line)}h2.part{font-size:1.1rem;font-weight:600;margin-bottom:.5rem}a.part{color:inherit;"
    "margin-right:"
    "2ch}header{margin-bottom:1rem}.strong,th,dt{font-"
    "weight:600}.gap{height:1rem}pre{margin:0;white-space:pre-wrap;overflow-wrap:"
    "anywhere}pre.scroll{white-space:pre}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}th{white-space:nowrap}"
    "th,td{text-align:left;vertical-align:top;padding:.1rem 1.5rem "
    ".1rem 0}td.long{min-width:24ch}dl{display:grid;grid-template-columns:max-content 1fr;gap:0 "
    "1rem;margin:0}dd{margin:0;overflow-wrap:anywhere}"
    "figure{margin:.5rem 0;display:flex;flex-wrap:wrap;gap:1rem 1.75rem}"
    ".plane{min-width:min(100%,var(--title))}"
    ".cells{display:grid;grid-template-columns:var(--columns);justify-content:start}.row{display:"
    "flex;flex-wrap:"
    "wrap;margin:.25rem 0}.at{padding:2px;border:0 solid}.at.n{padding-top:4px;border-top-"
    "width:1px}.at.w{padding-left:4px;border-left-width:1px}.at.s{padding-bottom:4px;border-bottom-"
    "width:1px}.at.e{padding-right:4px;border-right-width:1px}"
    ".place{display:flex;box-sizing:border-box;height:2rem;padding:0 .15rem;"
    "min-width:max(2rem,calc(var(--mark,0ch) + .75rem));align-items:center;"
    "justify-content:center;border:1px solid;border-radius:3px;font-weight:600}"
    ".place.bad,.place.warn{background-clip:padding-box}.place.bad{border-style:dashed}.place.warn{"
    "border:2px dashed}.place.asked{border-width:3px}"
    ".place:hover,.place:focus{outline:3px solid;outline-offset:1px}.beside{align-self:center;"
    "padding-left:1ch;line-height:1.2;white-space:pre-wrap;overflow-wrap:anywhere}.row "
    ".at{display:flex;align-items:center}.name{padding:0 "
    ".4rem}.side{display:flex;align-items:center;justify-content:center;min-width:"
    "1.5rem}.tip{display:none;position:fixed;left:0;right:0;bottom:0;max-height:38vh;overflow-y:"
    "auto;padding:.75rem 1.5rem;border-top:3px solid;"
    "font-weight:400}.place:focus-within .tip{display:grid}.place:hover "
    ".tip{display:grid;z-index:1}body:has(.place:hover) .place:not(:hover) .tip{display:none}"
    ".plane{padding:.2rem}";

inline constexpr std::string_view kStyleOfCards =
    ".tiles{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:0 0 1rem;padding:0}"
    ".tile{min-width:5.5rem;padding:.35rem .8rem;border:1px solid var(--line);border-radius:6px}"
    ".tile b{display:block;font-size:1.4rem;line-height:1.2}"
    ".bar{margin:.5rem 0;max-width:46rem}.track{display:flex;gap:2px;margin:.15rem 0}"
    ".share{height:.9rem;min-width:3px;border:1px solid var(--line);border-radius:3px;"
    "box-sizing:border-box}.swatch{display:inline-block;width:.9rem;margin:0 .4rem 0 0;"
    "vertical-align:-.1rem}.amount{margin-right:1.25rem;white-space:nowrap}"
    ".card{margin:.75rem 0;padding:.5rem .9rem;border:1px solid var(--line);border-left-width:5px;"
    "border-radius:6px}.card+.gap{height:0}"
    ".command{background:var(--soft);border-radius:4px;padding:.3rem .6rem;margin:.3rem 0;"
    "user-select:all}";

// On paper nothing scrolls: wide blocks wrap.
inline constexpr std::string_view kStyleOfPaper =
    "@media print{body{margin:0;padding:0;font-size:11px;max-width:none}.card{break-inside:avoid}"
    ".tip{display:none!important}"
    ".scroll,.plane{overflow:visible;background:none}pre.scroll{white-space:pre-wrap}"
    "th,td{overflow-wrap:anywhere;padding-right:.75rem}}";

}  // namespace dra::render
