package hooks

import (
	"context"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
)

// Measurement is how long a call took.
type Measurement struct {
	ID       string   // of the invocation
	Tool     Contract // of the tool that was called
	Phase    string   // where it was measured: "after", "error" or "denied"
	Duration time.Duration
	Code     string // of a call that was denied
}

// Timing returns hooks that tell, once for each call, how long it took since their
// before hook; 0 where it ended before it got there. What fails behind their after hook
// is not told again. A call waits for the callback for at most ObserverWait, and a
// panic in it is logged. Timing panics where the callback is nil.
func Timing(callback func(Measurement)) Set {
	if callback == nil {
		panic("hooks: Timing needs a function")
	}
	begun, told := new(byte), new(byte) // their addresses are keys
	tell := func(phase pipeline.Phase) []Hook {
		return []Hook{func(ctx context.Context, c *Call) error {
			if _, first := c.Metadata.claim(told, true); !first {
				return nil
			}
			start, first := c.Metadata.claim(begun, time.Now())
			m := Measurement{ID: c.ID, Tool: c.Tool, Phase: phase.String()}
			if !first {
				m.Duration = time.Since(start.(time.Time))
			}
			if c.Denial != nil {
				m.Code = c.Denial.Code
			}
			inform(ctx, m.Tool.Name, phase, func() { callback(m) })
			return nil
		}}
	}
	before := func(_ context.Context, c *Call) error {
		c.Metadata.claim(begun, time.Now())
		return nil
	}
	return Set{Before: []Hook{before}, After: tell(pipeline.After), Error: tell(pipeline.Error), Denied: tell(pipeline.Denied)}
}

// inform calls back, and waits for that for at most ObserverWait. A panic is logged, and so
// is that it takes longer.
func inform(ctx context.Context, tool string, phase pipeline.Phase, callback func()) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ObserverWait)
	defer cancel()
	err, ok := await(ctx, func() error {
		err := protect(func() error { callback(); return nil })
		if err != nil {
			logObserver(tool, phase, err)
		}
		return nil
	})
	if !ok {
		err = errLate
	}
	if err != nil {
		logObserver(tool, phase, err)
	}
}
