// The operations of integer_bigint.ml on BigInt.
//Provides: integer_of_int
function integer_of_int(a) { return BigInt(a); }
//Provides: integer_of_string
//Requires: caml_jsstring_of_string
function integer_of_string(a) { return BigInt(caml_jsstring_of_string(a)); }
//Provides: integer_to_string
//Requires: caml_string_of_jsstring
function integer_to_string(a) { return caml_string_of_jsstring(a.toString()); }
//Provides: integer_add
function integer_add(a, b) { return a + b; }
//Provides: integer_subtract
function integer_subtract(a, b) { return a - b; }
//Provides: integer_multiply
function integer_multiply(a, b) { return a * b; }
//Provides: integer_negate
function integer_negate(a) { return -a; }
//Provides: integer_equal
function integer_equal(a, b) { return a === b ? 1 : 0; }
//Provides: integer_less
function integer_less(a, b) { return a < b ? 1 : 0; }
//Provides: integer_at_most
function integer_at_most(a, b) { return a <= b ? 1 : 0; }
//Provides: integer_shift_left
function integer_shift_left(a, k) { return a << BigInt(k); }
//Provides: integer_shift_right
function integer_shift_right(a, k) { return a >> BigInt(k); }
//Provides: integer_is_odd
function integer_is_odd(a) { return (a & BigInt(1)) === BigInt(1) ? 1 : 0; }
//Provides: integer_power
function integer_power(a, b) {
  if (b < BigInt(0)) return BigInt(0);
  var result = BigInt(1);
  for (; b > BigInt(0); b = b >> BigInt(1)) { if ((b & BigInt(1)) === BigInt(1)) result = result * a; a = a * a; }
  return result;
}
//Provides: integer_divide
function integer_divide(a, b) { return a / b; }
//Provides: integer_to_float
function integer_to_float(a) { return Number(a); }
//Provides: integer_bits
function integer_bits(a) { return a.toString(2).length; }
//Provides: integer_to_int
function integer_to_int(a) { return Number(a); }
