package approval

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzAFurtherPolicyNeverLoosens(f *testing.F) {
	f.Add([]byte{0, 1, 2}, byte(0), 1)
	f.Add([]byte{}, byte(1), 0)
	f.Add([]byte{2}, byte(99), 0)
	f.Fuzz(func(t *testing.T, said []byte, further byte, at int) {
		var verdicts []Verdict
		for _, v := range said {
			verdicts = append(verdicts, Verdict(v))
		}
		merged := Merge(verdicts...)
		require.LessOrEqual(t, merged, Deny)
		more := slices.Insert(slices.Clone(verdicts), int(uint(at)%uint(len(verdicts)+1)), Verdict(further))
		require.GreaterOrEqual(t, Merge(more...), merged, "%v and then %v", verdicts, more)
		require.GreaterOrEqual(t, Merge(more...), min(Verdict(further), Deny))
		slices.Reverse(more)
		require.Equal(t, Merge(more...), Merge(slices.Sorted(slices.Values(more))...), "the order means nothing")
	})
}
