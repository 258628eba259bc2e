// include/dra/render/fit.h
//
// Fits a document to a screen. Of each fold the first parts stay, as many as there are lines for,
// and a line says how many more there are; view::Rank says which parts get their lines first.
//
// Parts of rank kAlways stay however small the screen is.

#pragma once

#include "dra/view/document.h"

namespace dra::render {

struct Screen {
  int width = 80;
  int height = 24;
};

// What stays, without folds. Each screen of the document is fitted by itself.
view::Document fit(const view::Document& document, const Screen& screen);

}  // namespace dra::render
