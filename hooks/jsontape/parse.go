package jsontape

import (
	"math/bits"
	"runtime"
	"unicode/utf8"
	"unsafe"
)

// Parse reads one JSON value, with white space around it, and replaces what the tape held. The tape keeps src and
// reads from it, so src must not change for as long as the tape is used. An error is a *SyntaxError or ErrTooDeep.
//
// It is one long function that reads through unsafe pointers, as in wasm each call, bounds check and branch taken costs
// as much as the work between them. What makes that safe: a byte at i is read where i < n only, a word where i+8 <= n,
// and nodes are written below room only.
func (t *Tape) Parse(src []byte) error {
	if len(src) > maxBytes {
		return t.fail(&SyntaxError{maxBytes, "longer than 4 GiB"})
	}
	t.src = src
	if t.nodes == nil {
		t.nodes, t.open = make([]node, 0, len(src)/6+8), make([]level, 0, 16) // enough for most texts
	}
	text, n := unsafe.Pointer(unsafe.SliceData(src)), len(src)
	nodes, room := unsafe.Pointer(unsafe.SliceData(t.nodes)), cap(t.nodes)
	open, depth := t.open[:0], 0
	at, i := 0, 0 // where the next node comes, and the next byte

	// The innermost open container.
	top, inObject := 0, false
	// The name that comes next if the object has the same names as the one before it, which like is in. An object is
	// mostly one of a list of such: comparing with a name is faster than reading it, and names known to differ need
	// not be looked through for duplicates.
	like, likeEnd := 0, 0

	for {
		if at+2 > room { // for a name and a value
			t.grow(at)
			nodes, room = unsafe.Pointer(unsafe.SliceData(t.nodes)), cap(t.nodes)
		}
		if i >= n || byteAt(text, i) <= ' ' {
			if i = skipSpace(src, i); i >= n {
				goto wantValue
			}
		}
		c := byteAt(text, i)
		if inObject {
			if c != '"' {
				goto wantName
			}
			i++
			name, end := nodeAt(nodes, at), 0
			if like < likeEnd {
				expected := nodeAt(nodes, like)
				size := int(expected.end - expected.start)
				end = i + size
				// The closing quote is compared too, so that the name ends there.
				if size < 8 {
					if i+8 > n || (wordAt(text, i)^wordAt(text, int(expected.start)))<<(uint(56-8*size)&63) != 0 {
						goto unlike
					}
				} else if end >= n {
					goto unlike
				} else if size < 16 {
					if wordAt(text, i) != wordAt(text, int(expected.start)) ||
						wordAt(text, end-7) != wordAt(text, int(expected.end)-7) {
						goto unlike
					}
				} else if string(src[i:end+1]) != string(src[expected.start:expected.end+1]) {
					goto unlike
				}
				*name = node{uint32(i), uint32(end), 1, expected.meta}
				like += 1 + int(nodeAt(nodes, like+1).size)
				goto named
			}
		unlike:
			{
				like, likeEnd = 0, 0
				var flags uint32
				if end, flags = scanString(src, i, i, 0); flags == malformed {
					return t.fail(stringError(src, end))
				}
				*name = node{uint32(i), uint32(end), 1, uint32(String) | flags}
			}
		named:
			at++
			i = end + 1
			if i >= n || byteAt(text, i) != ':' {
				if i = skipSpace(src, i); i >= n || byteAt(text, i) != ':' {
					goto wantColon
				}
			}
			i++
			if i >= n || byteAt(text, i) <= ' ' {
				if i = skipSpace(src, i); i >= n {
					goto wantValue
				}
			}
			c = byteAt(text, i)
		}

		value := nodeAt(nodes, at)
		at++
		if c == '"' {
			i++
			start, flags, stop := i, uint32(0), uint64(0)
			for high := uint64(0); i+8 <= n; i += 8 {
				w := wordAt(text, i)
				if stop = stops(w); stop != 0 {
					if high |= w & (stop&-stop - 1); high&highBits == 0 {
						i += bits.TrailingZeros64(stop) / 8
					} else {
						stop = 0
					}
					break
				}
				if high |= w; high&highBits != 0 {
					break
				}
			}
			if stop == 0 || byteAt(text, i) != '"' { // the end of the text is near, or it is no plain string
				if i, flags = scanString(src, start, i, 0); flags == malformed {
					return t.fail(stringError(src, i))
				}
			}
			*value = node{uint32(start), uint32(i), 1, uint32(String) | flags}
			i++
		} else if c-'0' <= 9 || c == '-' {
			start, flags := i, uint32(0)
			isShort := false // whether it is a number of less than eight digits before and after the point
			if i+8 <= n {
				w := wordAt(text, i)
				if whole := digits(w); 0 < whole && whole < 8 && (c != '0' || whole == 1) {
					i += whole
					after := byte(w >> (uint(8*whole) & 63))
					if after == '.' && i+9 <= n {
						w = wordAt(text, i+1)
						if fraction := digits(w); 0 < fraction && fraction < 8 {
							i += 1 + fraction
							flags = fractional
							after = byte(w >> (uint(8*fraction) & 63))
						}
					}
					isShort = after != '.' && after|0x20 != 'e'
				}
			}
			if !isShort {
				var err error
				if i, flags, err = scanNumber(src, start); err != nil {
					return t.fail(err)
				}
			}
			*value = node{uint32(start), uint32(i), 1, uint32(Number) | flags}
		} else if c == '{' || c == '[' {
			if depth == MaxDepth {
				return t.fail(ErrTooDeep)
			}
			kind := Array
			if c == '{' {
				kind = Object
			}
			*value = node{uint32(i), 0, 1, uint32(kind)}
			if depth == len(open) {
				open = appendLevel(open)
			}
			outer := &open[depth]
			outer.top, outer.like, outer.likeEnd = uint32(top), uint32(like), uint32(likeEnd)
			depth++
			top, inObject = at-1, kind == Object
			like, likeEnd = 0, 0
			if last := int(outer.last); inObject && last != 0 {
				like, likeEnd = last+1, last+int(nodeAt(nodes, last).size)
			}
			i++
			if i < n && byteAt(text, i) <= ' ' {
				i = skipSpace(src, i)
			}
			if i >= n || byteAt(text, i) != c+2 { // '{'+2 is '}', '['+2 is ']'
				continue
			} // empty: it is closed below like any other
		} else {
			word, meta := "null", uint32(Null)
			switch c {
			case 't':
				word, meta = "true", uint32(Bool)|isTrue
			case 'f':
				word, meta = "false", uint32(Bool)
			case 'n':
			default:
				goto wantValue
			}
			if n-i < len(word) || string(src[i:i+len(word)]) != word {
				goto wantValue
			}
			*value = node{uint32(i), uint32(i + len(word)), 1, meta}
			i += len(word)
		}

		// A value has ended, or an empty container is about to: close what ends here, up to the next comma.
		for {
			if i < n && byteAt(text, i) == ',' && depth > 0 {
				i++
				break
			}
			if i >= n || byteAt(text, i) <= ' ' {
				i = skipSpace(src, i)
			}
			if depth == 0 {
				if i < n {
					goto wantEnd
				}
				t.nodes, t.open = t.nodes[:at], open
				return nil
			}
			if i >= n {
				goto wantComma
			}
			c := byteAt(text, i)
			if c == ',' {
				i++
				break
			}
			if c != '}' && c != ']' || c == '}' != inObject {
				goto wantComma
			}
			i++
			depth--
			container, outer := nodeAt(nodes, top), &open[depth]
			container.end = uint32(i)
			if inObject {
				if like == 0 && at > top+1 {
					if end := t.dup.remove(src, t.nodes[:at], Node(top)); end < at {
						at = end
						open = open[:depth+1] // what the levels below it remember may have moved
					}
				}
				outer.last = uint32(top)
			}
			container.size = uint32(at - top)
			top, like, likeEnd = int(outer.top), int(outer.like), int(outer.likeEnd)
			inObject = nodeAt(nodes, top).Kind() == Object
		}
	}

wantValue:
	return t.fail(unexpected(src, i, "a value"))
wantName:
	return t.fail(unexpected(src, i, "a property name in quotes"))
wantColon:
	return t.fail(unexpected(src, i, "':' after a property name"))
wantEnd:
	return t.fail(unexpected(src, i, "the end of the text"))
wantComma:
	return t.fail(unexpected(src, i, "',' or the closing bracket"))
}

// grow makes room for more nodes after the first at. What Parse seldom does is kept out of it: it is long enough.
//
//go:noinline
func (t *Tape) grow(at int) { t.nodes = append(t.nodes[:at], make([]node, at/2+8)...) }

//go:noinline
func appendLevel(open []level) []level { return append(open, level{}) }

// level is what Parse remembers where a container begins.
type level struct {
	top, like, likeEnd uint32 // the state of Parse in what is around the container
	last               uint32 // the last object that began at this level, if it is not 0
}

// fail leaves null on the tape, so that a reader that ignores the error finds something.
//
//go:noinline
func (t *Tape) fail(err error) error {
	t.src = []byte("null")
	t.nodes = append(t.nodes[:0], node{end: 4, size: 1, meta: uint32(Null)})
	return err
}

// skipSpace returns the first offset from i on that holds no white space.
func skipSpace(src []byte, i int) int {
	for i < len(src) && src[i] <= ' ' && (src[i] == ' ' || src[i] == '\n' || src[i] == '\r' || src[i] == '\t') {
		i++
	}
	return i
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

func byteAt(text unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(text, i)) }

func nodeAt(nodes unsafe.Pointer, i int) *node {
	return (*node)(unsafe.Add(nodes, i*int(unsafe.Sizeof(node{}))))
}

// wordAt returns the eight bytes from i on, the first one lowest.
func wordAt(text unsafe.Pointer, i int) uint64 {
	if runtime.GOARCH == "wasm" { // where the compiler does not make one load of the eight below
		return *(*uint64)(unsafe.Add(text, i))
	}
	b := (*[8]byte)(unsafe.Add(text, i))
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// stops marks the bytes of w at which reading a string stops: quotes, backslashes and what is below 0x20. The lowest bit
// that is set is the high bit of the first such byte; those above it may be wrong.
func stops(w uint64) uint64 {
	// Flipping bit 1 brings a quote, 0x22, down to 0x20 and a space up, so that one subtraction finds what is below 0x21.
	return ((w ^ 2*everyByte - 0x21*everyByte) | (w ^ '\\'*everyByte - everyByte)) &^ w & highBits
}

// digits returns how many of the bytes of w, from the lowest on, are digits.
func digits(w uint64) int {
	w ^= '0' * everyByte // 0 to 9 for digits
	return bits.TrailingZeros64((w+0x76*everyByte|w)&highBits) / 8
}

// scanString goes on at i with a string that begins at start, and returns the offset of its closing quote, or malformed
// and the offset of what is wrong. It looks at eight bytes at once: in wasm a branch for each byte would be most of the
// cost of parsing.
func scanString(src []byte, start, i int, flags uint32) (end int, _ uint32) {
	text := unsafe.Pointer(unsafe.SliceData(src))
	high := uint64(0)
	for {
		if i+8 <= len(src) {
			w := wordAt(text, i)
			stop := stops(w)
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

// scanNumber reads the number that begins at start, and returns the offset after it, and its flags.
func scanNumber(src []byte, start int) (end int, flags uint32, err error) {
	i := start
	if src[i] == '-' {
		i++
	}
	whole := i
	if i = skipDigits(src, i); i == whole {
		return 0, 0, unexpected(src, i, "a digit")
	}
	if src[whole] == '0' && i > whole+1 {
		return 0, 0, &SyntaxError{whole, "a number begins with 0"}
	}
	isLarge := i-whole > 300
	if i < len(src) && src[i] == '.' {
		flags = fractional
		fraction := i + 1
		if i = skipDigits(src, fraction); i == fraction {
			return 0, 0, unexpected(src, i, "a digit")
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		isLarge, flags = true, fractional
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		exponent := i
		if i = skipDigits(src, exponent); i == exponent {
			return 0, 0, unexpected(src, i, "a digit")
		}
	}
	if isLarge {
		if !isFloat(src[start:i]) {
			return 0, 0, &SyntaxError{start, "a number that no float64 can hold"}
		}
	}
	return i, flags, nil
}

// unexpected is the error for finding something else than what was wanted at i.
func unexpected(src []byte, i int, want string) error {
	if i >= len(src) {
		return &SyntaxError{len(src), "the text ends where " + want + " should be"}
	}
	_, size := utf8.DecodeRune(src[i:])
	return &SyntaxError{i, "found " + string(AppendString(nil, string(src[i:i+size]))) + " instead of " + want}
}
