// The browser's own way to bring the human to the page: requestUserInput, as proposed
// for WebMCP, and requestUserInteraction of earlier Chromes, on what execute gets
// beside the input. The only file that knows them. Touches nothing.

const HAS_LEFT = ['decline', 'cancel']; // answers of requestUserInput

/**
 * Returns a function that has the browser bring the human and then call show, which returns a promise that settles when
 * the human is done; signal aborts then. undefined where the browser has no such way.
 */
function interactionOf(client) {
  if (typeof client?.requestUserInput === 'function') return (show, signal) => client.requestUserInput({ mode: 'interactive', signal }, show);
  if (typeof client?.requestUserInteraction === 'function') return (show) => client.requestUserInteraction(show);
  return undefined;
}

/**
 * Has the browser bring the human. Resolves when it has; rejects where it does not, or takes them away before signal
 * aborts. The browser's interaction ends with the signal.
 */
function bringHuman(bring, signal, lost) {
  return new NativePromise((resolve, reject) => {
    let isThere = false;
    const done = new NativePromise((end) => {
      if (signal.aborted) end({});
      else signal.addEventListener('abort', () => end({}), { once: true });
    });
    const show = () => {
      isThere = true;
      resolve();
      return done;
    };
    const refused = (error) => {
      if (isThere) lost(error);
      else reject(error);
    };
    try {
      follow(new NativePromise((settle) => settle(bring(show, signal))), (answer) => {
        if (!isThere || HAS_LEFT.includes(answer?.action)) refused(new Error(`the browser says ${answer?.action ?? 'that the human is there, and has not called back'}`));
      }, refused);
    } catch (error) {
      refused(error);
    }
  });
}
