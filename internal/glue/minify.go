package glue

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// minify returns JavaScript that says the same in fewer bytes: most pages need little
// of it, and each byte counts. Names of members stay, and so do those that a script
// or a module gives to others. The error says where it is no JavaScript.
func minify(code string) (string, error) {
	result := api.Transform(code, api.TransformOptions{
		Loader:            api.LoaderJS,
		Target:            api.ESNext,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
	})
	if messages := append(result.Errors, result.Warnings...); len(messages) > 0 {
		said := api.FormatMessages(messages, api.FormatMessagesOptions{})
		return "", fmt.Errorf("the glue is no good JavaScript: %s", strings.Join(said, ""))
	}
	return keepRemarks(code, string(result.Code))
}

// dynamicImport is where one begins, with what it says to bundlers, such as /* webpackIgnore: true */.
var dynamicImport = regexp.MustCompile(`\bimport\(((?:/\* .*? \*/ ?)*)`)

// keepRemarks returns minified code with what its dynamic imports say to bundlers,
// which is lost with the comments.
func keepRemarks(code, minified string) (string, error) {
	remarks := dynamicImport.FindAllStringSubmatch(code, -1)
	at := 0
	kept := dynamicImport.ReplaceAllStringFunc(minified, func(begin string) string {
		at++
		if at > len(remarks) {
			return begin
		}
		return begin + remarks[at-1][1]
	})
	if at != len(remarks) {
		return "", errors.New("the glue has other dynamic imports than before it was minified: what they say to bundlers cannot be kept")
	}
	return kept, nil
}
