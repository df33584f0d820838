package approval

// Verdict is what a policy says of a call before any human is asked.
type Verdict uint8

// The verdicts, the laxest first.
const (
	Allow Verdict = iota // the function may run
	Ask                  // if a human approves
	Deny                 // it must not run
)

// Merge returns the verdict of several policies: the strictest. Whoever comes later
// or stands further in can tighten what others say, and never loosen it. Without a
// policy, a call is allowed. What is no verdict denies.
func Merge(verdicts ...Verdict) Verdict {
	merged := Allow
	for _, v := range verdicts {
		merged = max(merged, v)
	}
	return min(merged, Deny)
}
