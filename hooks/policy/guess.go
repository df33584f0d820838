package policy

import (
	"errors"
	"slices"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Guess adds to what Parse has said what was probably meant by names that are not known.
// A page does without, and so without all of this file.
func Guess(err error) error {
	var wrong *ParseError
	if !errors.As(err, &wrong) {
		return err
	}
	guessed := *wrong
	guessed.Issues = slices.Clone(wrong.Issues)
	for i := range guessed.Issues {
		issue := &guessed.Issues[i]
		allowed, isName := strings.CutPrefix(issue.Expected, "is not allowed (allowed: ")
		given := jsontape.UnescapeToken(issue.Path[strings.LastIndexByte(issue.Path, '/')+1:])
		if meant := closest(given, strings.Split(strings.TrimSuffix(allowed, ")"), ", ")); isName && meant != "" {
			issue.Expected = "is not known here: did you mean " + meant + "?"
		}
	}
	return &guessed
}

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
