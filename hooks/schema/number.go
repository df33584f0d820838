package schema

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// decimal is the exact value of a JSON number: 0.digits * 10^exponent. Digits neither begin nor end with 0, so each
// value has one form; zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

func parseDecimal(text []byte) decimal {
	digits, exponent := jsontape.Digits(text, len(text))
	return decimal{text[0] == '-' && len(digits) > 0, string(digits), exponent}
}

func (d decimal) isInteger() bool { return d.exponent >= len(d.digits) }

func (d decimal) compare(other decimal) int {
	switch {
	case d.negative != other.negative:
		if d.negative {
			return -1
		}
		return 1
	case d.negative:
		d.negative, other.negative = false, false
		return other.compare(d)
	case d.digits == "" || other.digits == "" || d.exponent == other.exponent:
		return strings.Compare(d.digits, other.digits)
	case d.exponent < other.exponent:
		return -1
	}
	return 1
}

func (d decimal) appendTo(dst []byte) []byte {
	if d.negative {
		dst = append(dst, '-')
	}
	dst = append(append(dst, '.'), d.digits...)
	return strconv.AppendInt(append(dst, 'e'), int64(d.exponent), 10)
}

// isInteger reports whether a number has no fraction; 1.0 and 1e3 have none.
func isInteger(text []byte) bool {
	for _, c := range text {
		if c == '.' || c == 'e' || c == 'E' {
			return parseDecimal(text).isInteger()
		}
	}
	return true
}

// bound is one of minimum, maximum, exclusiveMinimum and exclusiveMaximum.
type bound struct {
	op     string  // what must stand between a number and the bound: ">=", "<=", ">" or "<"
	orders [3]bool // which orders it allows: less, equal, greater
	text   string
	value  float64
	exact  decimal
}

func newBound(keyword string, text []byte, value float64) bound {
	b := bound{text: string(text), value: value, exact: parseDecimal(text)}
	switch keyword {
	case "minimum":
		b.op, b.orders = ">=", [3]bool{false, true, true}
	case "maximum":
		b.op, b.orders = "<=", [3]bool{true, true, false}
	case "exclusiveMinimum":
		b.op, b.orders = ">", [3]bool{false, false, true}
	case "exclusiveMaximum":
		b.op, b.orders = "<", [3]bool{true, false, false}
	}
	return b
}

// allows reports whether the number, given as text and rounded, is within b.
func (b *bound) allows(text []byte, rounded float64) bool {
	// Rounding keeps the order, so it is only where the floats are equal that the decimals decide.
	switch {
	case rounded < b.value:
		return b.orders[0]
	case rounded > b.value:
		return b.orders[2]
	case string(text) == b.text:
		return b.orders[1]
	}
	return b.orders[parseDecimal(text).compare(b.exact)+1]
}

// divisor is what multipleOf asks for: coefficient * 10^exponent.
type divisor struct {
	text        string
	coefficient uint64
	exponent    int
}

// newDivisor returns nil where the coefficient has more digits than can be reckoned with here.
func newDivisor(text []byte) *divisor {
	d := parseDecimal(text)
	if len(d.digits) > 18 {
		return nil
	}
	m := &divisor{text: string(text), exponent: d.exponent - len(d.digits)}
	for _, c := range d.digits {
		m.coefficient = m.coefficient*10 + uint64(c-'0')
	}
	return m
}

// divides reports whether the number, given as text and rounded, is a whole multiple of m.
func (m *divisor) divides(text []byte, rounded float64) bool {
	if m.exponent == 0 && len(text) <= 15 && rounded != 0 { // nothing so short is rounded to a whole number
		if whole := int64(rounded); float64(whole) == rounded {
			return whole%int64(m.coefficient) == 0
		}
	}
	d := parseDecimal(text)
	shift := d.exponent - len(d.digits) - m.exponent
	if d.digits == "" {
		return true
	}
	if shift < 0 { // it has decimals that m has not: its last digit is not 0
		return false
	}
	// digits * 10^shift modulo the coefficient
	rest := uint64(0)
	for _, c := range d.digits {
		rest = mulMod(rest, 10, m.coefficient, uint64(c-'0'))
	}
	for power := 10 % m.coefficient; shift > 0; shift /= 2 {
		if shift%2 == 1 {
			rest = mulMod(rest, power, m.coefficient, 0)
		}
		power = mulMod(power, power, m.coefficient, 0)
	}
	return rest == 0
}

// mulMod returns a*b+c modulo m. a is less than m.
func mulMod(a, b, m, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	low, carry := bits.Add64(low, c, 0)
	return bits.Rem64(high+carry, low, m)
}
