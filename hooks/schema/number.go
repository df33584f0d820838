package schema

import (
	"math/bits"
	"strconv"
	"strings"
)

// decimal is the exact value of a JSON number: 0.digits * 10^exponent. Digits neither begin nor end with 0, so each
// value has one form; zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

func parseDecimal(text []byte) decimal {
	s := string(text)
	negative := s[0] == '-'
	if negative {
		s = s[1:]
	}
	exponent := 0
	if e := strings.IndexAny(s, "eE"); e >= 0 {
		exponent = parseExponent(s[e+1:])
		s = s[:e]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	exponent += len(whole)
	digits := whole
	if fraction != "" {
		digits = whole + fraction
	}
	trimmed := strings.TrimLeft(digits, "0")
	exponent -= len(digits) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, "0")
	if trimmed == "" {
		return decimal{}
	}
	return decimal{negative, trimmed, exponent}
}

// parseExponent stops counting where no number of a real text gets to.
func parseExponent(s string) int {
	n, err := strconv.Atoi(s)
	const most = 1 << 40
	if err != nil || n > most || n < -most {
		if s[0] == '-' {
			return -most
		}
		return most
	}
	return n
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

func (d decimal) equals(text []byte) bool { return parseDecimal(text) == d }

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
	op    string // what must stand between a number and the bound: ">=", "<=", ">" or "<"
	text  string
	value float64
	exact decimal
}

// allows reports whether the number, given as text and rounded, is within b.
func (b *bound) allows(text []byte, rounded float64) bool {
	// Rounding keeps the order, so it is only where the floats are equal that the decimals decide.
	order := 0
	switch {
	case rounded < b.value:
		order = -1
	case rounded > b.value:
		order = 1
	case string(text) != b.text:
		order = parseDecimal(text).compare(b.exact)
	}
	switch b.op {
	case ">=":
		return order >= 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order < 0
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
	coefficient, err := strconv.ParseUint(d.digits, 10, 63)
	if err != nil {
		return nil
	}
	return &divisor{string(text), coefficient, d.exponent - len(d.digits)}
}

// divides reports whether the number is a whole multiple of m.
func (m *divisor) divides(text []byte) bool {
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && m.exponent == 0 {
		return n%int64(m.coefficient) == 0
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
