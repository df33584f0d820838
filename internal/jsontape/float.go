package jsontape

import (
	"math"
	"math/bits"
	"unsafe"
)

// Float returns the value of a number, rounded to the nearest float64. It is never an infinity.
func (t *Tape) Float(n Node) float64 {
	nd := &t.nodes[n]
	text := t.src[nd.start:nd.end]
	if len(text) > 16 {
		return parseFloat(text)
	}
	if len(text) <= 8 && nd.meta&fractional == 0 && text[0] != '-' && int(nd.start)+8 <= len(t.src) {
		// All digits at once: of eight one-digit numbers, those side by side are joined, three times over.
		w := wordAt(unsafe.Pointer(unsafe.SliceData(text)), 0) << ((64 - 8*len(text)) & 63) & (0xf * everyByte)
		w = w * (10<<8 + 1) >> 8 & 0x00ff00ff00ff00ff
		w = w * (100<<16 + 1) >> 16 & 0x0000ffff0000ffff
		return float64(int64(w * (10000<<32 + 1) >> 32))
	}
	// Nearly all numbers come here: digits and powers of ten that are exact as floats, so that one division rounds right.
	digits, decimals := int64(0), -1
	for i, c := range text {
		switch {
		case digit[c]:
			digits = digits*10 + int64(c-'0')
		case c == '.':
			decimals = len(text) - 1 - i
		case c == '-' && i == 0:
		default:
			return parseFloat(text)
		}
	}
	if digits == 0 || digits >= 1e15 {
		return parseFloat(text) // -0, or too long
	}
	f := float64(digits)
	if decimals > 0 {
		f /= powersOf10[decimals]
	}
	if text[0] == '-' {
		return -f
	}
	return f
}

// enough digits decide how a number is rounded, if the last one says whether there are more.
const enough = 800

var powersOf10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseFloat is strconv.ParseFloat for the text of a JSON number; what is too large is an infinity. It is for the rare
// numbers that Float does not know at once, so it is small and not fast: strconv's would cost a page 10 kB.
func parseFloat(text []byte) float64 {
	sign := 1.0
	if text[0] == '-' {
		sign = -1
	}
	digits, exponent := Digits(text, enough)
	switch {
	case len(digits) == 0 || exponent < -400:
		return math.Copysign(0, sign)
	case exponent > 310:
		return math.Inf(int(sign))
	}
	// The number is digits * 10^power. Reckoning with floats gives a first guess, a unit or two in the last place off.
	number, power := newBig(digits), exponent-len(digits)
	first := newBig(digits[:min(len(digits), 19)])[0]
	scale := exponent - min(len(digits), 19)
	guess := min(float64(first)*math.Pow10(scale/2)*math.Pow10(scale-scale/2), math.MaxFloat64)
	// The guess is right if the number is not beyond the middle between it and either neighbour; in the very middle the
	// even one is right.
	for {
		b := math.Float64bits(guess)
		if c := number.compare(power, middle(b)); c > 0 || c == 0 && b&1 == 1 {
			guess = math.Float64frombits(b + 1)
			if math.IsInf(guess, 0) {
				break
			}
			continue
		}
		if b == 0 {
			break
		}
		if c := number.compare(power, middle(b-1)); c < 0 || c == 0 && b&1 == 1 {
			guess = math.Float64frombits(b - 1)
			continue
		}
		break
	}
	return sign * guess
}

// isFloat reports whether a float64 can hold a number: whether it is not too large.
func isFloat(text []byte) bool {
	digits, exponent := Digits(text, enough)
	return len(digits) == 0 || exponent < 309 || exponent < 400 && !math.IsInf(parseFloat(text), 0)
}

// Digits returns the digits of a number's text from the first to the last that is not 0, and the exponent for which the
// number is 0.digits * 10^exponent, but for its sign. Zero has no digits. Of more than most digits it returns the first
// ones; the last of them is then not 0 if any that is left out is not.
func Digits(text []byte, most int) (digits []byte, exponent int) {
	if text[0] == '-' {
		text = text[1:]
	}
	isFraction := false
	for i, c := range text {
		if !digit[c] && c != '.' { // e or E
			exponent += parseExponent(text[i+1:])
			break
		}
		switch {
		case c == '.':
			isFraction = true
			continue
		case c == '0' && len(digits) == 0:
			if isFraction {
				exponent--
			}
			continue
		case len(digits) < most:
			digits = append(digits, c)
		case c != '0':
			digits[most-1] = max(digits[most-1], '1')
		}
		if !isFraction {
			exponent++
		}
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if len(digits) == 0 {
		return nil, 0
	}
	return digits, exponent
}

// parseExponent stops counting where the number is long beyond all floats. A text has fewer digits than that.
func parseExponent(text []byte) int {
	const most = 1 << 40
	n, sign := 0, 1
	for _, c := range text {
		switch {
		case c == '-':
			sign = -1
		case c != '+' && n < most:
			n = n*10 + int(c-'0')
		}
	}
	return n * sign
}

// half is mantissa * 2^exponent.
type half struct {
	mantissa uint64
	exponent int
}

// middle returns what lies between the positive float with these bits and the next.
func middle(b uint64) half {
	exponent, mantissa := int(b>>52), b&(1<<52-1)
	if exponent == 0 {
		exponent = 1
	} else {
		mantissa |= 1 << 52
	}
	return half{2*mantissa + 1, exponent - 1076}
}

// big is a natural number, its least significant word first.
type big []uint64

func newBig(digits []byte) big {
	var b big
	for _, c := range digits {
		b = b.mulAdd(10, uint64(c-'0'))
	}
	return b
}

// mulAdd returns b*m + add, in the memory of b.
func (b big) mulAdd(m, add uint64) big {
	for i, word := range b {
		high, low := bits.Mul64(word, m)
		low, carry := bits.Add64(low, add, 0)
		b[i], add = low, high+carry
	}
	if add > 0 {
		b = append(b, add)
	}
	return b
}

// scale returns b * 10^power * 2^shift, in memory of its own. Neither may be negative.
func (b big) scale(power, shift int) big {
	b = append(make(big, shift/64, shift/64+len(b)+power/16+2), b...)
	for ; power >= 19; power -= 19 {
		b = b.mulAdd(1e19, 0)
	}
	for range power {
		b = b.mulAdd(10, 0)
	}
	return b.mulAdd(1<<(shift%64), 0)
}

// compare compares b * 10^power with h.
func (b big) compare(power int, h half) int {
	left, right := b.scale(max(power, 0), max(-h.exponent, 0)), big{h.mantissa}.scale(max(-power, 0), max(h.exponent, 0))
	if len(left) != len(right) {
		return len(left) - len(right)
	}
	for i := len(left) - 1; i >= 0; i-- {
		if left[i] != right[i] {
			if left[i] < right[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}
