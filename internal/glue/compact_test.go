package glue

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompactCodeSaysTheSame(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"const a = 1;\n\nreturn a + b;\n": "const a=1;return a+b;",
		"a = b + +c - -d;":                "a=b+ +c- -d;",
		"// gone\nlet a; // gone, it's said\n  /** gone\n   * too */\nb();":   "let a;b();",
		"x('// stays  ' + \"it's  \\\" \" + `a  ${b('}', `  ${c}`)}  // d`);": "x('// stays  '+\"it's  \\\" \"+`a  ${b('}', `  ${c}`)}  // d`);",
		"if (/a  [/'] \\/ b/u.test(x)) y = a / b / c;":                        "if(/a  [/'] \\/ b/u.test(x))y=a/b/c;",
		"class A {\n  get b() {\n    return 1;\n  }\n  async c() {}\n}\nd();": "class A{get b(){return 1;}async c(){}}d();",
		"import(/* webpackIgnore: true */ url);":                              "import(/* webpackIgnore: true */url);",
		"a\n  .b()\n  ?.c ?? d;\nconst { e } = f\n  + 'g';":                   "a.b()?.c??d;const{e}=f+'g';",
		"case 'x': return typeof y in [];":                                    "case'x':return typeof y in[];",
		"for (const a of [1]) b(() => /c  d/);":                               "for(const a of[1])b(()=>/c  d/);",
	} {
		require.Equal(t, want, compact(code))
	}
}
