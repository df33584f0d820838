package policy

// shaped stands for regular expressions in form: a pattern there is the name of a shape.
func shaped(shape string) (match func(s string) (bool, error), err error) {
	return func(s string) (bool, error) { return hasShape(s, shape[0]), nil }, nil
}

// hasShape reports whether a text has a shape, which has a pattern in
// policy.schema.json: text, glob, code, frequency or duration.
func hasShape(s string, shape byte) bool {
	switch shape {
	case 'd':
		return milliseconds(s) > 0
	case 'f':
		limit, _ := perSpan(s)
		return limit > 0
	}
	for i := range len(s) {
		c := s[i]
		capital, digit := c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
		switch shape {
		case 't':
			if c > ' ' {
				return true
			}
		case 'g':
			if !capital && !digit && (c < 'a' || c > 'z') && c != '_' && c != '-' && c != '.' && c != '*' {
				return false
			}
		default:
			if !capital && (i == 0 || i == 64 || !digit && c != '_') {
				return false
			}
		}
	}
	return shape != 't' && s != ""
}

// number reads the digits at the beginning of a text: up to most of them, without a
// zero in front. It returns 0 where there are none, or more.
func number(s string, most int) (n int64, rest string) {
	i := 0
	for i < len(s) && i <= most && s[i] >= '0' && s[i] <= '9' {
		n = 10*n + int64(s[i]-'0')
		if n == 0 {
			break
		}
		i++
	}
	if i > most {
		n = 0
	}
	return n, s[i:]
}

// unit returns how many milliseconds a unit of time has, or 0.
//
//go:noinline
func unit(s string) int64 {
	switch s {
	case "ms":
		return 1
	case "s":
		return 1000
	case "min":
		return 60_000
	case "h":
		return 3_600_000
	}
	return 0
}

// milliseconds reads a text such as "20s". "never" is Never, and what is none is 0.
//
//go:noinline
func milliseconds(s string) int64 {
	if s == "never" {
		return Never
	}
	n, rest := number(s, 6)
	return n * unit(rest)
}

// perSpan reads a text such as "30/min". What is none has the limit 0.
func perSpan(s string) (limit, span int64) {
	limit, rest := number(s, 5)
	if rest == "" || rest[0] != '/' {
		return 0, 0
	}
	if span = unit(rest[1:]); span < 1000 {
		return 0, 0
	}
	return limit, span
}
