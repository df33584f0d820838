package glue

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMinifiedCodeKeepsWhatOthersRead(t *testing.T) {
	t.Parallel()
	code, err := minify("const first = 1;\nclass Call {\n  // gone\n  begin(name) { return name.whole; }\n}\n" +
		"export const call = new Call().begin({ whole: first }); // gone\n" +
		"new URL('./webmcp.wasm', import.meta.url);\nimport('./one.js');\nimport(/* @vite-ignore */ /* webpackIgnore: true */ call);\n")
	require.NoError(t, err)
	for _, kept := range []string{"begin(", ".whole", "export const call=", `new URL("./webmcp.wasm",import.meta.url)`, `import("./one.js")`, "import(/* @vite-ignore */ /* webpackIgnore: true */ call)"} {
		require.Contains(t, code, kept)
	}
	require.NotContains(t, code, "gone")
	require.NotContains(t, code, "first")

	_, err = keepRemarks("import('./a.js');", "'import(1)' + import('./a.js');")
	require.ErrorContains(t, err, "other dynamic imports")

	_, err = minify("class {")
	require.ErrorContains(t, err, `Expected identifier but found "{"`)
}
