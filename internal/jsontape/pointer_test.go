package jsontape

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTokensOfPointers(t *testing.T) {
	t.Parallel()
	for name, token := range map[string]string{
		"": "", "plain": "plain", "a/b": "a~1b", "m~n": "m~0n", "~1": "~01", "/~/~": "~1~0~1~0", "é/": "é~1",
	} {
		require.Equal(t, token, EscapeToken(name))
		require.Equal(t, name, UnescapeToken(token))
	}
	require.Equal(t, "~2", UnescapeToken("~2"), "what is no escape stays")
	huge := strings.Repeat("/~", 1<<20)
	require.Equal(t, huge, UnescapeToken(EscapeToken(huge)))
}
