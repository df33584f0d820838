package re2_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
)

func TestPatternsMeanWhatJavaScriptSays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ pattern, matches, fails string }{
		{`b`, "abc", "ac"},
		{`^a.c$`, "axc", "a\u2028c"},
		{`^a$`, "a", "a\n"},
		{`^\s$`, "\ufeff", "x"},
		{`^[\s,]$`, "\u00a0", "x"},
		{`^\S$`, "x", "\u3000"},
		{`^[\S]$`, "x", "\t"},
		{`^\cj$`, "\n", "j"},
		{`^\x41\0$`, "A\x00", "A"},
		{`^\u00e4$`, "ä", "a"},
		{`^\ud83d\ude00$`, "😀", "x"},
		{`^\u{1f600}$`, "😀", "x"},
		{`^[^]$`, "\n", ""},
		{`^(a|[])$`, "a", "b"},
		{`^[[:d:]]$`, ":]", "1"},
		{`^[\b]$`, "\b", "b"},
		{`\bfoo\b`, "a foo", "food"},
		{`\Boo\B`, "foods", "oo"},
		{`^\p{Letter}\P{L}$`, "ä1", "11"},
		{`^\p{Script=Greek}\p{gc=Lu}$`, "αA", "aA"},
		{`^[\w\-\/.]+$`, "a-b/c.d", "a b"},
		{`^(?<year>\d{4})$`, "2026", "26"},
	} {
		match, err := re2.Compile(test.pattern)
		require.NoError(t, err)
		for s, want := range map[string]bool{test.matches: true, test.fails: false} {
			got, err := match(s)
			require.NoError(t, err)
			require.Equal(t, want, got, test.pattern)
		}
	}
}

func TestWhatCannotBeExpressedIsRefused(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{
		`(?=a)`, `(?!a)`, `(?<=a)b`, `(a)\1`, `(?<x>a)\k<x>`, `\a`, `\z`, `\Qa\E`, `\c1`, `\u12`, `\u{110000}`, `\x1`, `\`,
		`\p{Emoji_Nonsense}`, `\pL`, `[\B]`, `(?P<x>a)`, `(`, `a**`,
	} {
		_, err := re2.Compile(pattern)
		require.Error(t, err, pattern)
	}
}
