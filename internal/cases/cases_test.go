package cases

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADifferenceThatIsGoneFails(t *testing.T) {
	t.Parallel()
	same, other := succeeds("same"), succeeds("other")
	require.NoError(t, Compare(same, same, same))
	require.ErrorContains(t, Compare(other, same, same), "the agent got")
	require.NoError(t, Compare(other, other, same), "the difference is there")
	require.ErrorIs(t, Compare(same, other, same), errGone, "the driver does what all others do")
	require.ErrorContains(t, Compare(succeeds("a third"), other, same), "the agent got")
	require.ErrorContains(t, Compare(Want{same.Result, "", ""}, same, same), "these ran")
	require.ErrorContains(t, Compare(Want{same.Result, same.Ran, "saw"}, same, same), "observers saw")

	require.NoError(t, CompareText("same", "same", "same"))
	require.NoError(t, CompareText("same: because", "same: ", "same: "))
	require.Error(t, CompareText("same: ", "same: ", "same: "), "what is behind the colon is missing")
	require.Error(t, CompareText("same: because", "same", "same"))
	require.Error(t, CompareText("", "same", "same"))
	require.ErrorIs(t, CompareText("same", "other", "same"), errGone)
}

func TestEveryDifferenceHasAReason(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, c := range All() {
		require.NotContains(t, names, c.Name, "two cases have one name")
		names[c.Name] = true
		for _, difference := range c.Except {
			require.NotEmpty(t, difference.Because, c.Name)
			require.NotEmpty(t, difference.In, c.Name)
			require.NotEqual(t, c.Want, difference.Want, c.Name)
		}
	}
	for _, c := range Contracts() {
		require.NotContains(t, names, c.Name, "two cases have one name")
		names[c.Name] = true
		for _, difference := range c.Except {
			require.NotEmpty(t, difference.Because, c.Name)
			require.NotEqual(t, c.Want, difference.Want, c.Name)
		}
	}
}
