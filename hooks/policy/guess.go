package policy

import "strings"

// closest returns the name that was probably meant, or "".
func closest(given string, names []string) string {
	best, least := "", 1+min(len(given), 9)/3
	folded := fold(given)
	for _, name := range names {
		known := fold(name)
		if len(known) >= 3 && len(folded) >= 3 && (strings.HasPrefix(folded, known) || strings.HasPrefix(known, folded)) {
			return name
		}
		if d := distance(folded, known); d < least {
			best, least = name, d
		}
	}
	return best
}

// fold returns a name without what people spell in different ways.
func fold(s string) string {
	folded := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == '_' || c == '-':
		case c >= 'A' && c <= 'Z':
			folded = append(folded, c|0x20)
		default:
			folded = append(folded, c)
		}
	}
	return string(folded)
}

// distance returns how many letters must be put in, taken out, replaced or swapped
// with their neighbour to make b of a. Long texts are far from everything.
func distance(a, b string) int {
	if len(a) > 32 || len(b) > 32 {
		return 32
	}
	var before, last, row [33]int
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
