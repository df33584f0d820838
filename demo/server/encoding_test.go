package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNegotiateFollowsTheClientsWeights(t *testing.T) {
	t.Parallel()
	both := []string{"br", "gzip"}
	for _, test := range []struct {
		name      string
		headers   []string
		available []string
		want      string
	}{
		{"no header", nil, both, ""},
		{"empty header", []string{""}, both, ""},
		{"both: the first available", []string{"gzip, br"}, both, "br"},
		{"one", []string{"gzip"}, both, "gzip"},
		{"not available", []string{"br"}, []string{"gzip"}, ""},
		{"unknown only", []string{"zstd, deflate"}, both, ""},
		{"heavier wins", []string{"br;q=0.5, gzip;q=0.8"}, both, "gzip"},
		{"zero is refused", []string{"br;q=0, gzip"}, both, "gzip"},
		{"zero with digits is refused", []string{"br;q=0.000"}, both, ""},
		{"star names the rest", []string{"*"}, both, "br"},
		{"star leaves the named alone", []string{"br;q=0, *;q=0.5"}, both, "gzip"},
		{"star zero refuses the rest", []string{"gzip, *;q=0"}, both, "gzip"},
		{"identity preferred", []string{"identity, br;q=0.5"}, both, ""},
		{"identity as good: the smaller", []string{"identity, br"}, both, "br"},
		{"identity refused", []string{"identity;q=0, gzip"}, both, "gzip"},
		{"everything refused", []string{"identity;q=0, *;q=0"}, both, ""},
		{"several headers", []string{"gzip;q=0.1", "br;q=0.2"}, both, "br"},
		{"case and space", []string{" GZip ; Q=1 "}, both, "gzip"},
		{"x-gzip is gzip", []string{"x-gzip"}, both, "gzip"},
		{"weight that is no weight", []string{"br;q=high, gzip;q=2"}, both, ""},
		{"not a number", []string{"br;q=NaN"}, both, ""},
		{"other parameters", []string{"br;level=5;q=0"}, both, ""},
		{"a name within a name", []string{"brotli, gzipped"}, both, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, negotiate(test.headers, test.available))
		})
	}
}
