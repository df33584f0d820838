package jsontape

import (
	"math/bits"
	"runtime"
	"unicode/utf8"
	"unsafe"
)

// Parse reads one JSON value, with white space around it, and replaces what the tape held. The tape keeps src and
// reads from it, so src must not change for as long as the tape is used. An error is a *SyntaxError, ErrTooDeep or ErrTooMany.
//
// It is one long function that reads through unsafe pointers, and that jumps: in wasm each call, bounds check and branch
// taken costs as much as the work between them. What texts seldom have is all done by one call, in seldom, because a
// call in the midst would have the variables spilled for each value. What makes the pointers safe: a byte at i is read
// where i < n only, a word where i+8 <= n, and nodes are written below room only.
func (t *Tape) Parse(src []byte) error {
	if len(src) > maxBytes {
		return t.fail(&SyntaxError{maxBytes, "longer than 4 GiB"})
	}
	t.src, t.twice = src, 0
	if t.nodes == nil {
		t.nodes = make([]node, 0, min(len(src)/6+8, maxNodes)) // enough for most texts
	}
	if t.open == nil {
		t.open = make([]level, 0, 16)
	}
	t.open = t.open[:0]
	text, n := unsafe.Pointer(unsafe.SliceData(src)), len(src)
	nodes, room := unsafe.Pointer(unsafe.SliceData(t.nodes)), cap(t.nodes)
	at, i := 0, 0 // where the next node comes, and the next byte
	c := byte(0)  // the byte at i

	// The innermost open container, and what closes it: '}', ']', or 0 where none is open.
	top, depth, closer := 0, 0, byte(0)
	// The name that comes next if the object has the same names as the one before it, which like is in. An object is
	// mostly one of a list of such: comparing with a name is faster than reading it, and names known to differ need
	// not be looked through for duplicates.
	like, likeEnd := 0, 0

	var job job
	var value *node

next: // a name or a value
	if at+2 > room {
		job = makeRoom
		goto seldom
	}
	if i >= n {
		goto wantValue
	}
	if c = byteAt(text, i); c <= ' ' {
		job = skipToNext
		goto seldom
	}

begun:
	if closer != '}' {
		goto value
	}
	if c != '"' {
		goto wantName
	}
	i++
	if like < likeEnd {
		expected := nodeAt(nodes, like)
		from, size := int(expected.start), int(expected.end-expected.start)
		end := i + size
		// The closing quote is compared too, so that the name ends there.
		if size < 8 {
			if i+8 > n || (wordAt(text, i)^wordAt(text, from))<<(uint(56-8*size)&63) != 0 {
				goto unlike
			}
		} else {
			if end >= n || wordAt(text, end-7) != wordAt(text, from+size-7) {
				goto unlike
			}
			for j := 0; j+8 <= size; j += 8 {
				if wordAt(text, i+j) != wordAt(text, from+j) {
					goto unlike
				}
			}
		}
		*nodeAt(nodes, at) = node{uint32(i), uint32(end), 1, expected.meta}
		like += 1 + int(nodeAt(nodes, like+1).size)
		i = end + 1
		goto named
	}
unlike:
	like, likeEnd = 0, 0
	value = nodeAt(nodes, at)
	job = readName
	goto readText

named:
	at++
	if i >= n {
		goto wantColon
	}
	if c = byteAt(text, i); c <= ' ' {
		job = skipToColon
		goto seldom
	}
colon:
	if c != ':' {
		goto wantColon
	}
	if i++; i >= n {
		goto wantValue
	}
	if c = byteAt(text, i); c <= ' ' {
		job = skipToValue
		goto seldom
	}

value:
	value = nodeAt(nodes, at)
	at++
	if c != '"' {
		goto noText
	}
	i++
	job = readString
readText:
	for j := i; j+8 <= n; j += 8 {
		w := wordAt(text, j)
		stop := stops(w)
		if stop == 0 {
			if w&highBits != 0 {
				break
			}
			continue
		}
		if w&(stop&-stop-1)&highBits != 0 {
			break
		}
		if j += bits.TrailingZeros64(stop) / 8; byteAt(text, j) != '"' {
			break
		}
		*value = node{uint32(i), uint32(j), 1, uint32(String)}
		i = j + 1
		if job == readName {
			goto named
		}
		goto ended
	}
	goto seldom // it is not plain, or the end of the text is near

noText:
	if c-'0' <= 9 {
		if i+8 > n {
			job = readNumber
			goto seldom
		}
		// A number of less than eight digits before and after the point is read here, two words at most.
		w := wordAt(text, i)
		size, meta := digits(w), uint32(Number)
		if size == 8 || c == '0' && size > 1 {
			job = readNumber
			goto seldom
		}
		after := byte(w >> (uint(8*size) & 63))
		if after == '.' && i+size+9 <= n {
			w = wordAt(text, i+size+1)
			if fraction := digits(w); 0 < fraction && fraction < 8 {
				size += 1 + fraction
				meta |= fractional
				after = byte(w >> (uint(8*fraction) & 63))
			}
		}
		if after == '.' || after|0x20 == 'e' {
			job = readNumber
			goto seldom
		}
		*value = node{uint32(i), uint32(i + size), 1, meta}
		i += size
		goto ended
	}
	if c == '{' || c == '[' {
		if depth == MaxDepth {
			return t.fail(ErrTooDeep)
		}
		if depth == len(t.open) {
			at--
			job = makeLevel
			goto seldom
		}
		outer := &t.open[depth]
		outer.top, outer.like, outer.likeEnd, outer.closer = uint32(top), uint32(like), uint32(likeEnd), closer
		depth++
		top, closer = at-1, c+2 // '{'+2 is '}', '['+2 is ']'
		like, likeEnd = 0, 0
		if c == '[' {
			*value = node{uint32(i), 0, 1, uint32(Array)}
		} else {
			*value = node{uint32(i), 0, 1, uint32(Object)}
			if last := int(outer.last); last != 0 {
				like, likeEnd = last+1, last+int(nodeAt(nodes, last).size)
			}
		}
		if i++; i >= n {
			goto wantValue
		}
		if c = byteAt(text, i); c <= ' ' {
			job = skipToFirst
			goto seldom
		}
		goto first
	}
	if i+5 <= n {
		meta, size := uint32(Null), 4
		switch word := uint32At(text, i); {
		case c == 'f' && word>>8 == 'a'|'l'<<8|'s'<<16 && byteAt(text, i+4) == 'e':
			meta, size = uint32(Bool), 5
		case word == 't'|'r'<<8|'u'<<16|'e'<<24:
			meta = uint32(Bool) | isTrue
		case word == 'n'|'u'<<8|'l'<<16|'l'<<24:
		default:
			job = readWord
			goto seldom
		}
		*value = node{uint32(i), uint32(i + size), 1, meta}
		i += size
		goto ended
	}
	job = readWord
	goto seldom

first: // in a container: a name, a value or its end
	if c != closer {
		goto next
	}
	goto comma

ended: // a value: close what ends here, up to the next comma
	if i >= n {
		if depth > 0 {
			goto wantComma
		}
		t.nodes = t.nodes[:at]
		return nil
	}
	if c = byteAt(text, i); c <= ' ' {
		job = skipToComma
		goto seldom
	}
comma:
	if c == ',' && closer != 0 {
		i++
		goto next
	}
	if depth == 0 {
		goto wantEnd
	}
	if c != closer {
		goto wantComma
	}
	i++
	nodeAt(nodes, top).end = uint32(i)
	if closer == '}' && like == 0 && at > top+1 {
		job = removeDuplicates
		goto seldom
	}
unique:
	depth--
	{
		outer := &t.open[depth]
		if closer == '}' {
			outer.last = uint32(top)
		}
		nodeAt(nodes, top).size = uint32(at - top)
		top, like, likeEnd, closer = int(outer.top), int(outer.like), int(outer.likeEnd), outer.closer
	}
	goto ended

seldom:
	{
		end, meta, err := t.seldom(job, i, at, top, depth)
		if err != nil {
			return t.fail(err)
		}
		switch job {
		case makeRoom:
			nodes, room = unsafe.Pointer(unsafe.SliceData(t.nodes)), cap(t.nodes)
			goto next
		case makeLevel:
			goto value
		case removeDuplicates:
			at = end
			goto unique
		case readName:
			*value = node{uint32(i), uint32(end), 1, meta}
			i = end + 1
			goto named
		case readString:
			*value = node{uint32(i), uint32(end), 1, meta}
			i = end + 1
			goto ended
		case readNumber, readWord:
			*value = node{uint32(i), uint32(end), 1, meta}
			i = end
			goto ended
		}
		if i = end; i < n {
			c = byteAt(text, i)
			switch job {
			case skipToNext:
				goto begun
			case skipToColon:
				goto colon
			case skipToValue:
				goto value
			case skipToFirst:
				goto first
			}
			goto comma
		}
		switch job {
		case skipToColon:
			goto wantColon
		case skipToComma:
			goto ended
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

// job is something that Parse does seldom.
type job int

const (
	skipToNext job = iota
	skipToColon
	skipToValue
	skipToFirst
	skipToComma
	makeRoom
	makeLevel
	removeDuplicates
	readName
	readString
	readNumber
	readWord
)

// seldom does a job for Parse, whose variables it gets. It returns where what it has read ends, and its meta; or where
// the nodes end.
func (t *Tape) seldom(job job, i, at, top, depth int) (end int, meta uint32, err error) {
	switch job {
	case makeRoom:
		if at > MaxValues {
			return 0, 0, ErrTooMany
		}
		grown := make([]node, at, min(at+at/2+8, maxNodes))
		copy(grown, t.nodes[:at])
		t.nodes = grown
	case makeLevel:
		t.open = append(t.open, level{})
	case removeDuplicates:
		if t.dup == nil {
			t.dup = new(duplicates)
		}
		if end = t.dup.remove(t.src, t.nodes[:at], Node(top)); end < at {
			t.open = t.open[:depth] // what the levels below remember may have moved
			t.twice = Node(top) + 1
		}
	case readName, readString:
		if end, meta = scanString(t.src, i); meta == malformed {
			err = stringError(t.src, end)
		}
		meta |= uint32(String)
	case readNumber, readWord:
		switch c := t.src[i]; {
		case c == '-' || digit[c]:
			end, meta, err = scanNumber(t.src, i)
		case hasWord(t.src, i, "true"):
			return i + 4, uint32(Bool) | isTrue, nil
		case hasWord(t.src, i, "false"):
			return i + 5, uint32(Bool), nil
		case hasWord(t.src, i, "null"):
			return i + 4, uint32(Null), nil
		default:
			err = unexpected(t.src, i, "a value")
		}
		meta |= uint32(Number)
	default:
		end = skipSpace(t.src, i)
	}
	return end, meta, err
}

// level is what Parse remembers where a container begins.
type level struct {
	top, like, likeEnd uint32 // the state of Parse in what is around the container
	last               uint32 // the last object that began at this level, if it is not 0
	closer             byte
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

func hasWord(src []byte, i int, word string) bool {
	return len(src)-i >= len(word) && string(src[i:i+len(word)]) == word
}

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

// uint32At is wordAt for four bytes.
func uint32At(text unsafe.Pointer, i int) uint32 {
	b := (*[4]byte)(unsafe.Add(text, i))
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
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

// scanString reads a string that begins at start, and returns the offset of its closing quote, or malformed and the
// offset of what is wrong. It looks at eight bytes at once: in wasm a branch for each byte would be most of the cost of
// parsing.
func scanString(src []byte, start int) (end int, flags uint32) {
	i := start
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
