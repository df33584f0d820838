// Program does what needs the tables of the Go linker: it collects garbage below
// deep stacks, grows stacks, and panics in all ways that are recovered from.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

type value struct{ text string }

func (v value) Text() string { return v.text }

type texter interface{ Text() string }

func main() {
	for i := range 50 {
		done := make(chan string)
		go func() { done <- deep(200+i, make([]byte, 100)) }()
		if got := <-done; strings.Count(got, "x") != 200+i {
			fmt.Println("lost", got)
		}
	}
	fmt.Println("collected", runtime.NumGoroutine())

	swap := reflect.MakeFunc(reflect.TypeFor[func(*value, *value) (*value, *value)](), func(in []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{in[1], in[0]}
	}).Interface().(func(a, b *value) (*value, *value))
	a, b := swap(&value{fmt.Sprint("a", 1)}, &value{fmt.Sprint("b", 2)})
	bound := reflect.ValueOf(a).MethodByName("Text").Interface().(func() string)
	runtime.GC()
	fmt.Println("swapped", a.text, b.text, bound())

	var none *value
	var nobody *texter
	fmt.Println(panics(func() { _ = []int{1}[len(fmt.Sprint())+3] }))
	fmt.Println(panics(func() { _ = *nobody }))
	fmt.Println(panics(func() { callAll(none) }))
	fmt.Println(panics(func() { panic(errors.New("mine")) }))
	fmt.Println(panics(func() { var m map[string]int; m["a"] = 1 }))
	fmt.Println(panics(func() { _ = any(1).(string) }))
}

func callAll(texters ...texter) {
	for _, t := range texters {
		fmt.Println(t.Text())
	}
}

// deep holds a piece of garbage in each of its frames.
func deep(n int, held []byte) string {
	if n == 0 {
		runtime.GC()
		return ""
	}
	own := []byte(fmt.Sprintf("%0100d", n))
	defer func() { _ = recover() }()
	text := "x" + deep(n-1, own)
	if len(own) != 100 || own[99] != byte('0'+n%10) || len(held) != 100 {
		return "overwritten"
	}
	return text
}

func panics(act func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	act()
	return ""
}
