package npm

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/core"
)

// compile type-checks a project of the workspace.
func (w workspace) compile(t *testing.T, typescript, project string) {
	t.Helper()
	w.node(t, w.dir, "node_modules/"+typescript+"/bin/tsc", "--project", project)
}

// testdata/types says what must compile, and, by @ts-expect-error, what must not.
func TestTheTypesAcceptWhatWorksAndRefuseWhatDoesNot(t *testing.T) {
	t.Parallel()
	installed(t).compile(t, "typescript", "types")
}

// Without the types of zod and React, with which this compiler takes its time.
func TestTheTypesAreForTypeScript54AndLater(t *testing.T) {
	t.Parallel()
	installed(t).compile(t, "typescript-5.4", "types/tsconfig.5.4.json")
}

// names prints what there is, by its types.
const names = `
import * as core from 'webmcp-wasm';
import * as react from 'webmcp-wasm/react';
import * as elements from 'webmcp-wasm/elements';
import * as hooks from 'webmcp-wasm/hooks';
import * as testing from 'webmcp-wasm/testing';

const { webmcp } = core;
const tool = webmcp(() => 1, { name: 'tool', description: 'Tool' });
const scope = webmcp.scope({ hooks: {} });
const own = (object) => Object.getOwnPropertyNames(object).filter((name) => !['name', 'length', 'prototype', 'constructor'].includes(name));
console.log(JSON.stringify({
  'typeof core': Object.keys(core),
  'typeof react': Object.keys(react),
  'typeof elements': Object.keys(elements),
  'typeof hooks': Object.keys(hooks),
  'typeof testing': Object.keys(testing),
  'core.WebMCP': own(webmcp),
  'core.Tool': own(tool),
  'core.Contract': [...Object.keys(tool.tool), 'title', 'outputSchema'],
  'core.HookLists': own(webmcp.mergeHooks({ timeout: 1 })),
  'core.Registry': own(core.registry),
  'core.Scope': [...own(scope), ...own(Object.getPrototypeOf(scope))],
}));
`

// Each type has the members that its value has, no more and no less.
func TestTheTypesNameAllThatThereIs(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := filepath.Join(w.dir, "names")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "names.js"), []byte(names), 0o644))
	var members map[string][]string
	require.NoError(t, json.Unmarshal([]byte(w.node(t, dir, "names/names.js")), &members))
	require.Len(t, members, 11)

	var source strings.Builder
	for _, module := range []string{"core from 'webmcp-wasm'", "react from 'webmcp-wasm/react'", "elements from 'webmcp-wasm/elements'", "hooks from 'webmcp-wasm/hooks'", "testing from 'webmcp-wasm/testing'", "forms from 'webmcp-wasm/forms'"} {
		fmt.Fprintf(&source, "import type * as %s;\n", module)
	}
	i := 0
	for name, list := range members {
		require.NotEmpty(t, list, name)
		slices.Sort(list)
		fmt.Fprintf(&source, "export const list%d: Record<Extract<keyof %s, string>, true> = {\n", i, name)
		for _, member := range list {
			fmt.Fprintf(&source, "  %q: true,\n", member)
		}
		source.WriteString("};\n")
		i++
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "names.ts"), []byte(source.String()), 0o644))
	config := `{"extends": "../types/tsconfig.json", "include": [], "files": ["names.ts"]}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tsconfig.json"), []byte(config), 0o644))
	w.compile(t, "typescript", "names")
}

func TestTheTarballInstallsAndTypeChecksInAFreshProject(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := filepath.Join(t.TempDir(), "fresh")
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "fresh"))))
	require.NoError(t, install(dir, w.tarball))
	entries, err := os.ReadDir(filepath.Join(dir, "node_modules"))
	require.NoError(t, err)
	for _, entry := range entries {
		require.True(t, entry.Name() == "webmcp-wasm" || strings.HasPrefix(entry.Name(), "."), "it brings %s along", entry.Name())
	}
	w.node(t, dir, "node_modules/typescript/bin/tsc", "--project", dir)
}

func TestOnAServerTheModuleDoesNothing(t *testing.T) {
	t.Parallel()
	w := installed(t)
	require.Equal(t, core.Version, strings.TrimSpace(w.node(t, w.dir, "fresh/server.js")))
}

// What the schema of policies lets in and what the types do are written down in two
// places.
func TestTheTypesOfPoliciesHaveTheMembersOfTheirSchema(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "hooks", "policy", "policy.schema.json"))
	require.NoError(t, err)
	types, err := os.ReadFile(filepath.Join("..", "wasm", "webmcp.d.ts"))
	require.NoError(t, err)
	type object struct {
		Properties map[string]json.RawMessage
		Then       struct{ Properties map[string]json.RawMessage }
		Else       struct{ Properties map[string]json.RawMessage }
	}
	var schema struct {
		object
		Defs struct{ Rule, Approval object } `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &schema))
	for name, of := range map[string]object{"PolicyDocument": schema.object, "PolicyRule": schema.Defs.Rule, "PolicyApproval": schema.Defs.Approval} {
		declared := regexp.MustCompile(`(?s)\nexport interface ` + name + ` \{\n(.*?)\n\}`).FindSubmatch(types)
		require.NotNil(t, declared, name)
		var members, properties []string
		for _, m := range regexp.MustCompile(`(?m)^  readonly (\$?\w+)\??:`).FindAllSubmatch(declared[1], -1) {
			members = append(members, string(m[1]))
		}
		for _, in := range []map[string]json.RawMessage{of.Properties, of.Then.Properties, of.Else.Properties} {
			for property := range in {
				properties = append(properties, property)
			}
		}
		slices.Sort(properties)
		require.ElementsMatch(t, slices.Compact(properties), members, name)
	}
}
