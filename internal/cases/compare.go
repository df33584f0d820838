package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// InputText returns the input of the case as JSON.
func (c *Case) InputText() string {
	if c.Input == "" {
		return `{"n":1}`
	}
	return c.Input
}

// errGone says that the table states a difference that there is not.
var errGone = errors.New("the driver does what all others do: take the difference out of the table")

// Compare returns what is not as it must be. instead is what would be wanted
// without a difference: where it came after all, or is the same, the table is
// wrong.
func Compare(got, want, instead Want) error {
	if want != instead && (equal(got, instead) || equal(want, instead)) {
		return errGone
	}
	switch {
	case !sameJSON(got.Result, want.Result):
		return fmt.Errorf("the agent got\n%s\nand not\n%s", got.Result, want.Result)
	case got.Ran != want.Ran:
		return fmt.Errorf("these ran\n%s\nand not\n%s", got.Ran, want.Ran)
	case got.Saw != want.Saw:
		return fmt.Errorf("observers saw\n%s\nand not\n%s", got.Saw, want.Saw)
	}
	return nil
}

func equal(a, b Want) bool {
	return sameJSON(a.Result, b.Result) && a.Ran == b.Ran && a.Saw == b.Saw
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// CompareText is Compare for the text of an error, which may go on behind what
// is wanted where that ends with a colon and a space.
func CompareText(got, want, instead string) error {
	if want != instead && (isText(got, instead) || isText(want, instead)) {
		return errGone
	}
	if !isText(got, want) {
		return fmt.Errorf("the error is\n%q\nand not\n%q", got, want)
	}
	return nil
}

func isText(got, want string) bool {
	if strings.HasSuffix(want, ": ") {
		return len(got) > len(want) && strings.HasPrefix(got, want)
	}
	return got == want
}
