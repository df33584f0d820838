package schema

import (
	"math"
	"strings"
	"unicode/utf8"
)

// format is a format of strings.
type format struct {
	name string
	is   func(s string) bool // nil for OpenAPI's names for what JSON numbers and strings are anyway
	says string              // what it asks for, for an agent that got it wrong; empty: its name
}

var formats = [...]format{
	{"date", isDate, "a date such as 2026-01-31"},
	{"time", isTime, "a time with its offset, such as 14:30:00Z"},
	{"date-time", isDateTime, "a date and time such as 2026-01-31T14:30:00Z"},
	{"duration", isDuration, "a duration such as P3DT12H"},
	{"email", isEmail, "an email address"},
	{"idn-email", func(s string) bool { return isEmail(inASCII(s)) }, "an email address"},
	{"hostname", isHostname, ""},
	{"idn-hostname", func(s string) bool { return isHostname(inASCII(s)) }, ""},
	{"ipv4", isIPv4, ""},
	{"ipv6", isIPv6, ""},
	{"uri", isURI, "a URI with its scheme, such as https://example.com/"},
	{"uri-reference", isURIReference, "a URI, or a path such as /a?b#c"},
	{"iri", func(s string) bool { return isURI(inASCII(s)) }, ""},
	{"iri-reference", func(s string) bool { return isURIReference(inASCII(s)) }, ""},
	{"uri-template", isURITemplate, ""},
	{"uuid", isUUID, ""},
	{"json-pointer", isPointer, "a JSON pointer such as /items/0"},
	{"relative-json-pointer", isRelativePointer, ""},
	{"double", nil, ""},
	{"password", nil, ""},
	{"byte", nil, ""},
	{"binary", nil, ""},
}

// formatOf returns the function that enforces a format of strings, and whether the format is known.
func formatOf(name string) (is func(s string) bool, known bool) {
	for i := range formats {
		if formats[i].name == name {
			return formats[i].is, true
		}
	}
	return nil, false
}

// describeFormat says what a format asks for.
func describeFormat(name string) string {
	if name == "regex" {
		return "a regular expression"
	}
	for i := range formats {
		if formats[i].name == name && formats[i].says != "" {
			return formats[i].says
		}
	}
	return "in the format " + name
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isAlnum(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// fits reports whether s has the shape of a pattern in which 0 is a digit, x a hexadecimal digit, and all else itself.
func fits(s, shape string) bool {
	if len(s) != len(shape) {
		return false
	}
	for i := range len(s) {
		switch shape[i] {
		case '0':
			if !isDigit(s[i]) {
				return false
			}
		case 'x':
			if !isHex(s[i]) {
				return false
			}
		default:
			if s[i] != shape[i] {
				return false
			}
		}
	}
	return true
}

// number2 returns the number that two digits spell.
func number2(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }

func isUUID(s string) bool { return fits(s, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") }

// isDate is full-date of RFC 3339.
func isDate(s string) bool {
	if !fits(s, "0000-00-00") {
		return false
	}
	year, month, day := number2(s)*100+number2(s[2:]), number2(s[5:]), number2(s[8:])
	days := 31
	switch month {
	case 4, 6, 9, 11:
		days = 30
	case 2:
		days = 28
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			days = 29
		}
	}
	return 1 <= month && month <= 12 && 1 <= day && day <= days
}

// isTime is full-time of RFC 3339. A second 60 is allowed where leap seconds are: at the end of the UTC day.
func isTime(s string) bool {
	if len(s) < 9 || !fits(s[:8], "00:00:00") {
		return false
	}
	hour, minute, second := number2(s), number2(s[3:]), number2(s[6:])
	rest := s[8:]
	if rest[0] == '.' {
		digits := 1
		for digits < len(rest) && isDigit(rest[digits]) {
			digits++
		}
		if digits == 1 {
			return false
		}
		rest = rest[digits:]
	}
	offset := 0
	switch {
	case rest == "Z" || rest == "z":
	case fits(rest, "+00:00") || fits(rest, "-00:00"):
		hours, minutes := number2(rest[1:]), number2(rest[4:])
		if hours > 23 || minutes > 59 {
			return false
		}
		if offset = hours*60 + minutes; rest[0] == '-' {
			offset = -offset
		}
	default:
		return false
	}
	if hour > 23 || minute > 59 || second > 60 {
		return false
	}
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+day)%day == day-1
}

func isDateTime(s string) bool {
	return len(s) > 11 && (s[10] == 'T' || s[10] == 't') && isDate(s[:10]) && isTime(s[11:])
}

// isHostname is a host name of RFC 1123: labels of letters, digits and inner hyphens.
func isHostname(s string) bool {
	if len(s) > 253 {
		return false
	}
	for more := true; more; {
		var label string
		label, s, more = strings.Cut(s, ".")
		if len(label) < 1 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if !isAlnum(label[i]) && label[i] != '-' {
				return false
			}
		}
	}
	return true
}

// isEmail is Mailbox of RFC 5321, in ASCII.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if len(domain) > 2 && domain[0] == '[' && domain[len(domain)-1] == ']' {
		address := domain[1 : len(domain)-1]
		if v6, ok := strings.CutPrefix(address, "IPv6:"); ok {
			return isLocal(local) && isIPv6(v6)
		}
		return isLocal(local) && isIPv4(address)
	}
	return isLocal(local) && isHostname(domain)
}

// isLocal reports whether s is the part of an email address before the @: words with dots between, or a quoted string.
func isLocal(s string) bool {
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		for i := 1; i < len(s)-1; i++ {
			if s[i] == '\\' {
				i++
			} else if s[i] == '"' {
				return false
			}
			if i == len(s)-1 || s[i] < ' ' || s[i] > '~' {
				return false
			}
		}
		return true
	}
	for i := range len(s) {
		if s[i] == '.' && (i == 0 || i == len(s)-1 || s[i+1] == '.') {
			return false
		}
		if !isAlnum(s[i]) && strings.IndexByte("!#$%&'*+-/=?^_`{|}~.", s[i]) < 0 {
			return false
		}
	}
	return true
}

func isIPv4(s string) bool {
	parts := 0
	for more := true; more; parts++ {
		var part string
		part, s, more = strings.Cut(s, ".")
		value := 0
		for i := range len(part) {
			if !isDigit(part[i]) || i == 3 {
				return false
			}
			value = value*10 + int(part[i]-'0')
		}
		if part == "" || value > 255 || part[0] == '0' && part != "0" {
			return false
		}
	}
	return parts == 4
}

func isIPv6(s string) bool {
	before, after, short := strings.Cut(s, "::")
	if !short {
		return groups(s, true) == 8
	}
	a, b := groups(before, false), groups(after, true)
	return a >= 0 && b >= 0 && a+b < 8
}

// groups returns how many 16-bit groups s spells, or -1 if it is not a list of such. The last may be an IPv4 address,
// which is two.
func groups(s string, allowIPv4 bool) int {
	if s == "" {
		return 0
	}
	n := 0
	for {
		group, rest, more := strings.Cut(s, ":")
		n++
		if !more && allowIPv4 && isIPv4(group) {
			return n + 1
		}
		if len(group) < 1 || len(group) > 4 || !fits(group, "xxxx"[:len(group)]) {
			return -1
		}
		if !more {
			return n
		}
		s = rest
	}
}

// isURI is URI of RFC 3986: absolute, with a scheme.
func isURI(s string) bool { return hasScheme(s) && isURIReference(s) }

// isURIReference is URI-reference of RFC 3986: a URI, or what is resolved against one.
func isURIReference(s string) bool {
	rest := s
	if hasScheme(s) {
		rest = s[strings.IndexByte(s, ':')+1:]
	} else if colon := strings.IndexByte(s, ':'); colon >= 0 && all(s[:colon], "") {
		return false // its first segment would be a scheme
	}
	rest, fragment, _ := strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	if !all(fragment, ":@/?") || !all(query, ":@/?") {
		return false
	}
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		slash := strings.IndexByte(authority, '/')
		if slash < 0 {
			slash = len(authority)
		}
		authority, rest = authority[:slash], authority[slash:]
		return isAuthority(authority) && all(rest, ":@/")
	}
	return all(rest, ":@/")
}

func isAuthority(s string) bool {
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		if !all(s[:at], ":") {
			return false
		}
		s = s[at+1:]
	}
	if address, ok := strings.CutPrefix(s, "["); ok {
		address, port, ok := strings.Cut(address, "]")
		isFuture := strings.HasPrefix(address, "v") && all(address, ":")
		return ok && (isIPv6(address) || isFuture) && (port == "" || port[0] == ':' && allDigits(port[1:]))
	}
	host, port, _ := strings.Cut(s, ":")
	return all(host, "") && allDigits(port)
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// all reports whether s consists of what may stand in any part of a URI (unreserved, sub-delims and escapes), and of
// the characters in more.
func all(s, more string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isAlnum(c) || strings.IndexByte("-._~!$&'()*+,;=", c) >= 0 || strings.IndexByte(more, c) >= 0:
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			i += 2
		default:
			return false
		}
	}
	return true
}

// inASCII returns s with a letter for each character that is not ASCII, for the formats that allow those where their
// elders allow letters.
func inASCII(s string) string {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r >= utf8.RuneSelf {
			r = 'a'
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// isURITemplate is RFC 6570, of which it checks that each expression is one.
func isURITemplate(s string) bool {
	for {
		literal, rest, found := strings.Cut(s, "{")
		if strings.IndexByte(literal, '}') >= 0 || !all(inASCII(literal), ":@/?#[]") {
			return false
		}
		if !found {
			return true
		}
		expression, rest, closed := strings.Cut(rest, "}")
		if expression != "" && strings.IndexByte("+#./;?&", expression[0]) >= 0 {
			expression = expression[1:]
		}
		if !closed || expression == "" || !all(expression, "_:") {
			return false
		}
		s = rest
	}
}

// isDuration is duration of RFC 3339, appendix A: P1Y2M3DT4H5M6S, of which parts may be missing, or P7W.
func isDuration(s string) bool {
	s, ok := strings.CutPrefix(s, "P")
	units, inTime := "YMWD", false
	weeks, others := false, false
	for ok && s != "" {
		if s[0] == 'T' && !inTime {
			inTime, units, s = true, "HMS", s[1:]
		}
		digits := 0
		for digits < len(s) && isDigit(s[digits]) {
			digits++
		}
		if digits == 0 || digits == len(s) {
			return false
		}
		unit := strings.IndexByte(units, s[digits])
		if unit < 0 {
			return false
		}
		if s[digits] == 'W' {
			weeks = true
		} else {
			others = true
		}
		units, s = units[unit+1:], s[digits+1:]
	}
	return ok && weeks != others
}

// isPointer is a JSON pointer of RFC 6901.
func isPointer(s string) bool {
	for i := range len(s) {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return s == "" || s[0] == '/'
}

// isRelativePointer is a relative JSON pointer: how many levels to go up, and a pointer or #.
func isRelativePointer(s string) bool {
	digits := 0
	for digits < len(s) && isDigit(s[digits]) {
		digits++
	}
	rest := s[digits:]
	return digits > 0 && (digits == 1 || s[0] != '0') && (rest == "#" || isPointer(rest))
}

// rangeOf returns the range of a format of OpenAPI's for numbers, nil for others, and whether it is of whole numbers.
func rangeOf(name string) (bounds []bound, whole bool) {
	limits := func(least, most string, from, to float64) []bound {
		return []bound{newBound("minimum", []byte(least), from), newBound("maximum", []byte(most), to)}
	}
	switch name {
	case "int32":
		return limits("-2147483648", "2147483647", math.MinInt32, math.MaxInt32), true
	case "int64":
		return limits("-9223372036854775808", "9223372036854775807", math.MinInt64, math.MaxInt64), true
	case "float":
		return limits("-340282346638528859811704183484516925440", "340282346638528859811704183484516925440", -math.MaxFloat32, math.MaxFloat32), false
	}
	return nil, false
}
