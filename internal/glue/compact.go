package glue

import "strings"

// compact returns JavaScript without comments, but for those in one line that tools
// read (/* like this */), and without blanks and line ends that say nothing. The
// code must end its statements with semicolons, as ours does. What is between
// quotes and in regular expressions stays as it is.
func compact(code string) string {
	var b strings.Builder
	last := byte(';') // the last byte that was written
	write := func(text string) {
		b.WriteString(text)
		last = text[len(text)-1]
	}
	gap := false // whether blanks or line ends are left out before what comes
	for i := 0; i < len(code); {
		c := code[i]
		switch {
		case c == '\n' || c == ' ':
			gap = true
			i++
			continue
		case strings.HasPrefix(code[i:], "//"):
			i += len(code[i:]) - len(strings.TrimLeftFunc(code[i:], func(r rune) bool { return r != '\n' }))
			continue
		case strings.HasPrefix(code[i:], "/**"):
			i += strings.Index(code[i:], "*/") + len("*/")
			continue
		}
		if gap && (isWord(last) && isWord(c) || last == c && (c == '+' || c == '-')) {
			b.WriteByte(' ')
		}
		end := i + 1
		switch {
		case c == '\'' || c == '"':
			end = quoted(code, i)
		case c == '`':
			end = template(code, i)
		case strings.HasPrefix(code[i:], "/* "):
			end = i + strings.Index(code[i:], "*/") + len("*/")
		case c == '/' && strings.IndexByte("(,=:[!&|?{};>", last) >= 0:
			end = pattern(code, i)
		}
		write(code[i:end])
		i, gap = end, false
	}
	return b.String()
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '#'
}

// quoted returns where the text ends that begins at i.
func quoted(code string, i int) int {
	for j := i + 1; ; j++ {
		switch code[j] {
		case '\\':
			j++
		case code[i]:
			return j + 1
		}
	}
}

// template returns where the template ends that begins at i.
func template(code string, i int) int {
	for j := i + 1; ; j++ {
		switch {
		case code[j] == '\\':
			j++
		case code[j] == '`':
			return j + 1
		case strings.HasPrefix(code[j:], "${"):
			j = substitution(code, j+2) - 1
		}
	}
}

// substitution returns where the code in a template ends that begins at i, behind
// its bracket.
func substitution(code string, i int) int {
	for depth := 1; depth > 0; {
		switch code[i] {
		case '\'', '"':
			i = quoted(code, i)
			continue
		case '`':
			i = template(code, i)
			continue
		case '{':
			depth++
		case '}':
			depth--
		}
		i++
	}
	return i
}

// pattern returns where the regular expression ends that begins at i; its flags are
// a word like any other.
func pattern(code string, i int) int {
	class := false
	for j := i + 1; ; j++ {
		switch code[j] {
		case '\\':
			j++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return j + 1
			}
		}
	}
}
