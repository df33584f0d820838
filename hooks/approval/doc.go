// Package approval decides what becomes of the calls that wait for a human: who is
// asked about what, in which order, until when; what a decision settles, and what
// an agent is told that does not want to wait.
//
// Like package pipeline it is only decisions: no values, no goroutines, no clock and
// no input or output, so that natively and in a page the same code decides, and
// tests can walk every interleaving. A driver tells the Desk what has happened and
// when; the Desk answers what to do. Inputs, texts and results stay with the driver;
// the Desk knows them by number.
//
// The words:
//
//   - a call waits for a human: one invocation of a tool, between validation and
//     function;
//   - a question is what the human is asked. Calls of one tool with the same input
//     share one: the first of them is its leader, whose function will run; the
//     others join it and get the answer that the leader gets. Nothing runs twice;
//   - an agent is held while a call of its own waits. When that has taken long
//     enough, it is told that the question is pending; the question stays, and the
//     answer is kept for whoever fetches it;
//   - a rule is a decision that the human wants to be remembered. It answers later
//     questions. It never answers one that does not allow that, and it is gone with
//     the tool.
//
// What is to be asked at all is Merge's: deny before ask before allow.
package approval
