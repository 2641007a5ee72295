#pragma once

#include "firestore/field_path.h"

namespace shardline {

// A heuristic: true if the name of the field suggests that its values rise from one document to the
// next: the moment of a write (createdAt, дата_создания, 作成日) or a running number (seq,
// invoiceNo). Only the documents can prove it.
//
// The last part of the path is cut into words, at cases, signs and known words, and each word is
// looked up. A planned moment (dueDate) and a duration (cookTime) are no hints.
bool SoundsRising(const FieldPath& field);

}  // namespace shardline
