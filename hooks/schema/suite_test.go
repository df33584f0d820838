package schema_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
)

// The official JSON-Schema-Test-Suite is data that a module of others ships. It is fetched like any module, at this
// version and with this checksum; nothing of it is compiled.
const (
	suiteModule = "github.com/kaptinlin/jsonschema@v0.9.0"
	suiteSum    = "h1:CNOI3dIVYy6h+D68V0SFIpIJMUWkTxlGCCOR45/NDqY="
	suiteDir    = "testdata/JSON-Schema-Test-Suite/tests"
)

// suite is a draft of the suite, and what in it this package does not do. A name is a file, or a file and the
// description of a group of tests in it.
type suite struct {
	draft   string
	skipped map[string]string // not run, with the reason
	refused map[string]string // what Compile refuses (of a file: some or all groups, the others must pass), with the reason
	plain   []string          // files to be run with NoDefaults: they say what an annotation does
}

const (
	noDynamic   = "$dynamicRef is refused: what it refers to depends on who refers to it"
	remote      = "a $ref that leaves the document is refused: nothing is fetched"
	unknown     = "a keyword that is not known is refused"
	idnHostname = "of idn-hostname only the shape is checked"
	siblings    = "siblings of $ref count, as in 2020-12"
	content     = "contentEncoding and contentMediaType are annotations, as in 2020-12"
	asserted    = "says that format is an annotation; here it is an assertion, which optional/format tests"
)

var suites = []suite{
	{
		draft: "draft2020-12",
		skipped: map[string]string{
			"format.json":                       asserted,
			"optional/format/idn-hostname.json": idnHostname,
			"vocabulary.json":                   "vocabularies are announced by a remote meta-schema",
			"optional/format-assertion.json":    "vocabularies are announced by a remote meta-schema",
		},
		refused: map[string]string{
			"dynamicRef.json":          noDynamic,
			"optional/dynamicRef.json": noDynamic,
			"unevaluatedItems.json/unevaluatedItems with $dynamicRef":           noDynamic,
			"unevaluatedProperties.json/unevaluatedProperties with $dynamicRef": noDynamic,
			"refRemote.json": remote,
			"defs.json":      remote,
			"ref.json/remote ref, containing refs itself":                          remote,
			"optional/cross-draft.json":                                            remote,
			"optional/ecmascript-regex.json/\\a is not an ECMA 262 control escape": remote,
			"optional/refOfUnknownKeyword.json":                                    unknown,
			"optional/unknownKeyword.json":                                         unknown,
		},
		plain: []string{"default.json"},
	},
	{
		draft: "draft7",
		skipped: map[string]string{
			"optional/content.json":                                           content,
			"optional/format/idn-hostname.json":                               idnHostname,
			"ref.json/ref overrides any sibling keywords":                     siblings,
			"ref.json/$ref prevents a sibling $id from changing the base uri": siblings,
		},
		refused: map[string]string{
			"refRemote.json":   remote,
			"definitions.json": remote,
			"ref.json/remote ref, containing refs itself": remote,
			"optional/cross-draft.json":                   remote,
			"optional/unknownKeyword.json":                unknown,
		},
		plain: []string{"default.json"},
	},
}

func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	dir := fetchSuite(t)
	for _, s := range suites {
		t.Run(s.draft, func(t *testing.T) {
			t.Parallel()
			s.run(t, filepath.Join(dir, s.draft))
		})
	}
}

func fetchSuite(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", suiteModule)
	cmd.Dir = t.TempDir() // outside of this module, whose go.mod and go.sum are none of the suite's business
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.Output()
	var module struct{ Dir, Sum, Error string }
	_ = json.Unmarshal(out, &module)
	require.NoError(t, err, "cannot fetch the official suite: %s", module.Error)
	require.Equal(t, suiteSum, module.Sum)
	return filepath.Join(module.Dir, filepath.FromSlash(suiteDir))
}

// group is a schema of the suite with its tests.
type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

func (s suite) run(t *testing.T, dir string) {
	passed, failed := 0, 0
	skipped, refused := map[string]int{}, map[string]int{} // by name
	files := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		files++
		file, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		file = filepath.ToSlash(file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var groups []group
		require.NoError(t, json.Unmarshal(text, &groups), file)
		for _, g := range groups {
			name := file + "/" + g.Description
			if key, ok := find(s.skipped, file, name); ok {
				skipped[key] += len(g.Tests)
				continue
			}
			compiled, err := schema.Compile(g.Schema, s.options(file))
			if key, ok := find(s.refused, file, name); ok && errors.Is(err, schema.ErrUnsupported) {
				refused[key] += len(g.Tests)
				continue
			}
			if err != nil {
				t.Errorf("%s does not compile: %v", name, err)
				failed += len(g.Tests)
				continue
			}
			for _, test := range g.Tests {
				if _, err := compiled.Validate(test.Data); (err == nil) != test.Valid {
					t.Errorf("%s: %s: valid should be %v, got %v\n%s\n%s", name, test.Description, test.Valid, err, g.Schema, test.Data)
					failed++
					continue
				}
				passed++
			}
		}
		return nil
	}))
	report := func(verb string, reasons map[string]string, counts map[string]int) (sum int) {
		for _, name := range slices.Sorted(maps.Keys(reasons)) {
			assert.Positive(t, counts[name], "%s is listed as %s, but nothing was", name, verb)
			t.Logf("%s %3d: %s (%s)", verb, counts[name], name, reasons[name])
			sum += counts[name]
		}
		return sum
	}
	nSkipped, nRefused := report("skipped", s.skipped, skipped), report("refused", s.refused, refused)
	require.Greater(t, files, 50)
	require.Greater(t, passed, 900)
	t.Logf("official suite, %s: %d passed, %d skipped, %d refused by Compile as they should be, %d failed", s.draft, passed, nSkipped, nRefused, failed)
}

// find returns the entry for a group: its own, or that of its file.
func find(entries map[string]string, file, name string) (key string, found bool) {
	if _, ok := entries[name]; ok {
		return name, true
	}
	_, ok := entries[file]
	return file, ok
}

func (s suite) options(file string) schema.Options {
	opts := schema.Options{Regexp: re2.Compile}
	for _, plain := range s.plain {
		opts.NoDefaults = opts.NoDefaults || file == plain
	}
	return opts
}
