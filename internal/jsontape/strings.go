package jsontape

import (
	"unicode/utf8"
	"unsafe"
)

// Equal reports whether the value of a string is s.
func (t *Tape) Equal(n Node, s string) bool {
	if nd := &t.nodes[n]; nd.meta&escaped == 0 {
		return string(t.src[nd.start:nd.end]) == s
	}
	return t.Str(n) == s
}

// Str returns the value of a string as a Go string of its own.
func (t *Tape) Str(n Node) string {
	if t.Plain(n) {
		return string(t.Text(n))
	}
	return string(t.AppendStr(nil, n))
}

// AppendStr appends the value of a string to dst.
func (t *Tape) AppendStr(dst []byte, n Node) []byte {
	if t.Plain(n) {
		return append(dst, t.Text(n)...)
	}
	return appendUnescaped(dst, t.Text(n))
}

// RuneCount returns how many code points a string has. A lone surrogate, or a byte that is not UTF-8, counts as one.
func (t *Tape) RuneCount(n Node) int {
	nd := &t.nodes[n]
	switch nd.meta & (escaped | nonASCII) {
	case 0:
		return int(nd.end - nd.start)
	case nonASCII:
		return utf8.RuneCount(t.src[nd.start:nd.end])
	}
	return utf8.RuneCountInString(t.Str(n))
}

// Name is a string to compare with names on a tape, faster than Equal does. NewName makes one.
type Name struct {
	text  []byte // not a string, which would make the type one that code to compare it is made for
	size  uint32 // of the text, if JSON that has the same bytes always means the same; otherwise maxBytes
	first uint64 // its first eight bytes, the first one lowest
	mask  uint64 // which of them there are
}

// NewName returns the name that is text.
func NewName(text string) Name {
	name := Name{text: []byte(text), size: uint32(len(text))}
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			name.size = maxBytes // no string has it, so it is left to Equal
		}
		if i < 8 {
			name.first |= uint64(text[i]) << (8 * i)
			name.mask |= 0xff << (8 * i)
		}
	}
	return name
}

// Is reports whether the value of a string is certainly name. It is small enough to be compiled into its callers. If
// not, Equal finds out.
func (t *Tape) Is(e *Entry, name *Name) bool {
	start := int(e.start)
	return e.end-e.start == name.size && start+8 <= len(t.src) &&
		(wordAt(unsafe.Pointer(unsafe.SliceData(t.src)), start)^name.first)&name.mask == 0 &&
		(name.size <= 8 || t.endsLike(e, name))
}

func (t *Tape) endsLike(e *Entry, name *Name) bool {
	return string(t.src[e.start:e.end]) == string(name.text)
}

// appendUnescaped appends the value of a string whose escapes Parse has found to be well formed.
func appendUnescaped(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\\' && text[i+1] == 'u':
			r := hex4(text, i+2)
			i += 6
			if isSurrogate(r) { // half of a pair: it needs its other half
				low := rune(-1)
				if i+6 <= len(text) && text[i] == '\\' && text[i+1] == 'u' {
					low = hex4(text, i+2)
				}
				if r = joinSurrogates(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
		case c == '\\':
			dst = append(dst, unescape(text[i+1]))
			i += 2
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, size := utf8.DecodeRune(text[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
		}
	}
	return dst
}

func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

func isSurrogate(r rune) bool { return 0xd800 <= r && r < 0xe000 }

// joinSurrogates returns the code point of a surrogate pair, or utf8.RuneError if the halves are not one.
func joinSurrogates(high, low rune) rune {
	if high < 0xdc00 && 0xdc00 <= low && low < 0xe000 {
		return (high-0xd800)<<10 | (low - 0xdc00) + 0x10000
	}
	return utf8.RuneError
}

// hex4 returns the number that the four hexadecimal digits at src[i] spell, or -1.
func hex4(src []byte, i int) rune {
	if i+4 > len(src) {
		return -1
	}
	r := rune(0)
	for _, c := range src[i : i+4] {
		switch {
		case digit[c]:
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
