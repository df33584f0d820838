package jsontape_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

func requireFloat(t *testing.T, text string) {
	t.Helper()
	want, wantErr := strconv.ParseFloat(text, 64)
	for _, space := range []string{"", "         "} { // in the midst of a text, numbers are read eight bytes at once
		var tape jsontape.Tape
		err := tape.Parse([]byte(text + space))
		require.Equal(t, wantErr != nil, err != nil, text)
		if err == nil {
			got := tape.Float(jsontape.Root)
			require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%s: want %v, got %v", text, want, got)
		}
	}
}

func TestFloatsAreTheNearest(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"0", "-0", "0.0", "-0.0e5", "1", "-1", "0.1", "0.30000000000000004", "123456.789", "999999999999999", "9007199254740993",
		"9007199254740992.5", "9007199254740993.00000000000000000000000000000000000001", "9007199254740991.5", "1e22", "1e23", "8.5e-310",
		"1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "179769313486231580793" + strings.Repeat("0", 288),
		"4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.5e-324", "1e-400", "1e-999999999999999999999", "0e999999999999999999999",
		"2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308", "1e400", "-1e400", "1e99999999999999999999",
		"0." + strings.Repeat("0", 400) + "1e401", "1" + strings.Repeat("0", 400) + "e-400", strings.Repeat("1", 900) + "e-890",
		"0.500000000000000166533453693773481063544750213623046875", "3.518437208883201171875e13", "62.5364939768271845828",
		// The digit that decides comes after 800 others: this is the middle between two floats, and a little more.
		"9007199254740993." + strings.Repeat("0", 900) + "1", "9007199254740993." + strings.Repeat("0", 900) + "0",
	} {
		requireFloat(t, text)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		requireFloat(t, strconv.FormatUint(random.Uint64()>>random.IntN(64), 10))
		f := math.Float64frombits(random.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		requireFloat(t, strconv.FormatFloat(f, 'e', -1, 64))
		requireFloat(t, strconv.FormatFloat(f, 'e', random.IntN(30), 64))
		requireFloat(t, strconv.FormatFloat(random.NormFloat64()*1e6, 'f', random.IntN(25), 64))
		requireFloat(t, strconv.FormatFloat(math.Trunc(random.NormFloat64()*1e18), 'f', -1, 64))
	}
}

func FuzzFloatsAreTheNearest(f *testing.F) {
	f.Add(uint64(123456789), uint64(987654321), -12)
	f.Fuzz(func(t *testing.T, digits, more uint64, exponent int) {
		requireFloat(t, strconv.FormatUint(digits, 10)+"."+strconv.FormatUint(more, 10)+"e"+strconv.Itoa(exponent%400))
		requireFloat(t, strconv.FormatUint(digits, 10)+strconv.FormatUint(more, 10)+"e"+strconv.Itoa(exponent%400))
	})
}
