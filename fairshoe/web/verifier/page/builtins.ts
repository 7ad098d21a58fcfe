// Names of the language that the page that checks uses often: its build puts these in their place (build.mjs), and
// gives them short names.

export const {
  DataView: _DataView,
  document: _document,
  Error: _Error,
  Map: _Map,
  Number: _Number,
  Set: _Set,
  String: _String,
  TextDecoder: _TextDecoder,
  Uint8Array: _Uint8Array,
} = globalThis;
export const {
  assign: Object_assign,
  entries: Object_entries,
  fromEntries: Object_fromEntries,
  hasOwn: Object_hasOwn,
  keys: Object_keys,
} = Object;
export const { floor: Math_floor, max: Math_max, min: Math_min } = Math;
export const { parse: JSON_parse, stringify: JSON_stringify } = JSON;
export const { isArray: Array_isArray } = Array;
export const { isSafeInteger: Number_isSafeInteger } = Number;
