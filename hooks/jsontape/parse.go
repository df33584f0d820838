package jsontape

import (
	"math/bits"
	"unicode/utf8"
)

// Parse reads one JSON value, with white space around it, and replaces what the tape held. The tape keeps src and
// reads from it, so src must not change for as long as the tape is used. An error is a *SyntaxError or ErrTooDeep.
func (t *Tape) Parse(src []byte) error {
	if len(src) > maxBytes {
		return t.fail(&SyntaxError{maxBytes, "longer than 4 GiB"})
	}
	t.src = src
	if t.nodes == nil {
		t.nodes, t.open = make([]node, 0, len(src)/6+8), make([]Node, 0, 16) // enough for most texts
	}
	nodes, open := t.nodes[:0], t.open[:0]
	inObject := false // whether the innermost open container is an object
	i := 0

	for {
		if i = skipSpace(src, i); i >= len(src) {
			return t.fail(unexpected(src, i, "a value"))
		}
		if inObject {
			if src[i] != '"' {
				return t.fail(unexpected(src, i, "a property name in quotes"))
			}
			end, flags := scanString(src, i+1)
			if flags&malformed != 0 {
				return t.fail(stringError(src, end))
			}
			nodes = append(nodes, node{kind: String, flags: flags, start: uint32(i + 1), end: uint32(end), size: 1})
			if i = skipSpace(src, end+1); i >= len(src) || src[i] != ':' {
				return t.fail(unexpected(src, i, "':' after a property name"))
			}
			if i = skipSpace(src, i+1); i >= len(src) {
				return t.fail(unexpected(src, i, "a value"))
			}
		}

		switch c := src[i]; c {
		case '"':
			end, flags := scanString(src, i+1)
			if flags&malformed != 0 {
				return t.fail(stringError(src, end))
			}
			nodes = append(nodes, node{kind: String, flags: flags, start: uint32(i + 1), end: uint32(end), size: 1})
			i = end + 1
		case '{', '[':
			if len(open) == MaxDepth {
				return t.fail(ErrTooDeep)
			}
			kind := Array
			if c == '{' {
				kind = Object
			}
			open = append(open, Node(len(nodes)))
			nodes = append(nodes, node{kind: kind, start: uint32(i), size: 1})
			inObject = kind == Object
			i = skipSpace(src, i+1)
			if i < len(src) && src[i] == c+2 { // '{'+2 is '}', '['+2 is ']'
				break // empty: it is closed below like any other
			}
			continue
		case 't':
			if !hasWord(src, i, "true") {
				return t.fail(unexpected(src, i, "a value"))
			}
			nodes = append(nodes, node{kind: Bool, flags: isTrue, start: uint32(i), end: uint32(i + 4), size: 1})
			i += 4
		case 'f':
			if !hasWord(src, i, "false") {
				return t.fail(unexpected(src, i, "a value"))
			}
			nodes = append(nodes, node{kind: Bool, start: uint32(i), end: uint32(i + 5), size: 1})
			i += 5
		case 'n':
			if !hasWord(src, i, "null") {
				return t.fail(unexpected(src, i, "a value"))
			}
			nodes = append(nodes, node{kind: Null, start: uint32(i), end: uint32(i + 4), size: 1})
			i += 4
		default:
			if c != '-' && !digit[c] {
				return t.fail(unexpected(src, i, "a value"))
			}
			end, err := scanNumber(src, i)
			if err != nil {
				return t.fail(err)
			}
			nodes = append(nodes, node{kind: Number, start: uint32(i), end: uint32(end), size: 1})
			i = end
		}

		// A value has ended, or an empty container is about to: close what ends here, up to the next comma.
		for {
			i = skipSpace(src, i)
			if len(open) == 0 {
				if i < len(src) {
					return t.fail(unexpected(src, i, "the end of the text"))
				}
				t.nodes, t.open = nodes, open
				return nil
			}
			top := open[len(open)-1]
			if int(top) != len(nodes)-1 {
				nodes[top].count++
			}
			if i < len(src) && src[i] == ',' {
				i++
				break
			}
			closing := byte(']')
			if inObject {
				closing = '}'
			}
			if i >= len(src) || src[i] != closing {
				return t.fail(unexpected(src, i, "',' or the closing bracket"))
			}
			i++
			nodes[top].end = uint32(i)
			if inObject && nodes[top].count > 1 {
				nodes = t.dup.remove(src, nodes, top)
			}
			nodes[top].size = uint32(len(nodes)) - uint32(top)
			open = open[:len(open)-1]
			inObject = len(open) > 0 && nodes[open[len(open)-1]].kind == Object
		}
	}
}

// fail leaves null on the tape, so that a reader that ignores the error finds something.
func (t *Tape) fail(err error) error {
	t.src = []byte("null")
	t.nodes = append(t.nodes[:0], node{kind: Null, end: 4, size: 1})
	return err
}

// skipSpace returns the first offset from i on that holds no white space.
func skipSpace(src []byte, i int) int {
	for i < len(src) && src[i] <= ' ' && (src[i] == ' ' || src[i] == '\n' || src[i] == '\r' || src[i] == '\t') {
		i++
	}
	return i
}

func hasWord(src []byte, i int, word string) bool {
	return len(src)-i >= len(word) && string(src[i:i+len(word)]) == word
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

// scanString reads a string from the byte after its opening quote, and returns the offset of its closing quote, or
// malformed and the offset of what is wrong. It looks at eight bytes at once: in wasm a branch for each byte would be
// most of the cost of parsing.
func scanString(src []byte, start int) (end int, flags uint8) {
	i := start
	high := uint64(0)
	for {
		if i+8 <= len(src) {
			b := src[i : i+8 : i+8]
			w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
				uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
			quote, backslash := w^('"'*everyByte), w^('\\'*everyByte)
			// The lowest high bit that is set marks the first byte that is a quote, a backslash or below 0x20.
			stop := ((quote-everyByte)&^quote | (backslash-everyByte)&^backslash | (w-' '*everyByte)&^w) & highBits
			if stop == 0 {
				high |= w
				i += 8
				continue
			}
			high |= w & (stop&-stop - 1)
			i += bits.TrailingZeros64(stop) / 8
		} else {
			for i < len(src) && src[i] >= ' ' && src[i] != '"' && src[i] != '\\' {
				high |= uint64(src[i])
				i++
			}
			if i >= len(src) {
				return i, malformed
			}
		}
		if src[i] != '"' {
			n := escapeLen(src, i)
			if n == 0 {
				return i, malformed
			}
			flags |= escaped
			i += n
			continue
		}
		if high&highBits != 0 {
			flags |= nonASCII
			if !utf8.Valid(src[start:i]) {
				flags |= escaped
			}
		}
		return i, flags
	}
}

// stringError says why scanString stopped at i.
func stringError(src []byte, i int) error {
	switch {
	case i >= len(src):
		return unexpected(src, i, "the closing quote of a string")
	case src[i] == '\\':
		return &SyntaxError{i, "invalid escape in a string"}
	}
	return &SyntaxError{i, "control character in a string (it must be escaped)"}
}

// escapeLen returns how long the escape at src[i] is: 2, 6, or 0 if it is none.
func escapeLen(src []byte, i int) int {
	if src[i] != '\\' || i+1 >= len(src) {
		return 0
	}
	switch src[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if hex4(src, i+2) >= 0 {
			return 6
		}
	}
	return 0
}

var digit = [256]bool{'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true}

func skipDigits(src []byte, i int) int {
	for i < len(src) && digit[src[i]] {
		i++
	}
	return i
}

// scanNumber reads the number that begins at start, and returns the offset after it.
func scanNumber(src []byte, start int) (int, error) {
	i := start
	if src[i] == '-' {
		i++
	}
	whole := i
	if i = skipDigits(src, i); i == whole {
		return 0, unexpected(src, i, "a digit")
	}
	if src[whole] == '0' && i > whole+1 {
		return 0, &SyntaxError{whole, "a number begins with 0"}
	}
	isLarge := i-whole > 300
	if i < len(src) && src[i] == '.' {
		fraction := i + 1
		if i = skipDigits(src, fraction); i == fraction {
			return 0, unexpected(src, i, "a digit")
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		isLarge = true
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		exponent := i
		if i = skipDigits(src, exponent); i == exponent {
			return 0, unexpected(src, i, "a digit")
		}
	}
	if isLarge {
		if !isFloat(src[start:i]) {
			return 0, &SyntaxError{start, "a number that no float64 can hold"}
		}
	}
	return i, nil
}

// unexpected is the error for finding something else than what was wanted at i.
func unexpected(src []byte, i int, want string) error {
	if i >= len(src) {
		return &SyntaxError{len(src), "the text ends where " + want + " should be"}
	}
	_, size := utf8.DecodeRune(src[i:])
	return &SyntaxError{i, "found " + string(AppendString(nil, string(src[i:i+size]))) + " instead of " + want}
}
