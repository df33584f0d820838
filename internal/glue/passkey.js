// Proof that a human is there when they approve: a passkey (WebAuthn), which asks for
// their finger, face or PIN. Keeps the id and the public key of the page's passkey, in
// memory and localStorage, and touches nothing else. What it calls of the browser is as
// it was when this file loaded.

const createCredential = bare('CredentialsContainer', 'create');
const getCredential = bare('CredentialsContainer', 'get');
const idOf = bare('PublicKeyCredential', 'rawId');
const responseOf = bare('PublicKeyCredential', 'response');
const clientDataOf = bare('AuthenticatorResponse', 'clientDataJSON');
const publicKeyOf = bare('AuthenticatorAttestationResponse', 'getPublicKey');
const algorithmOf = bare('AuthenticatorAttestationResponse', 'getPublicKeyAlgorithm');
const authenticatorDataOf = bare('AuthenticatorAssertionResponse', 'authenticatorData');
const signatureOf = bare('AuthenticatorAssertionResponse', 'signature');
const userOf = bare('AuthenticatorAssertionResponse', 'userHandle');
const digestWith = bare('SubtleCrypto', 'digest');
const importKey = bare('SubtleCrypto', 'importKey');
const generateKey = bare('SubtleCrypto', 'generateKey');
const verifyWith = bare('SubtleCrypto', 'verify');
const subtleOf = bare('Crypto', 'subtle');
const fillRandom = bare('Crypto', 'getRandomValues');
const encodeText = bare('TextEncoder', 'encode');
const decodeText = bare('TextDecoder', 'decode');
const storedIn = bare('Storage', 'getItem');
const storeIn = bare('Storage', 'setItem');
const codeOf = bare('String', 'charCodeAt');
const replaced = bare('String', 'replaceAll');
const setBytes = Function.prototype.call.bind(Bytes.prototype.set);
const { crypto, btoa: encodeBinary, atob: decodeBinary, origin: ownOrigin, location: here } = globalThis;
const { fromCharCode } = String;
const { credentials } = globalThis.navigator ?? {};
const ownHost = here?.hostname;
const writer = new globalThis.TextEncoder();
const reader = new globalThis.TextDecoder();

const STORED = 'webmcp-passkey';

// What a passkey may sign with, by its COSE number, the most usual first.
const ES256 = -7;
const ALGORITHMS = {
  [ES256]: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  '-8': { name: 'Ed25519' },
  '-257': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
};

// Flags of authenticator data.
const USER_PRESENT = 1 << 0;
const USER_VERIFIED = 1 << 2;

const HASH_LENGTH = 256 / 8; // bytes
const NONCE_LENGTH = 128 / 8;

let passkey; // {id, publicKey, algorithm} that the page has enrolled

/** Returns bytes as text: base64url, without padding. */
function textOfBytes(buffer) {
  const bytes = new Bytes(buffer);
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += fromCharCode(bytes[i]);
  return replaced(replaced(replaced(encodeBinary(text), '+', '-'), '/', '_'), '=', '');
}

function bytesOfText(text) {
  const binary = decodeBinary(replaced(replaced(text, '-', '+'), '_', '/'));
  const bytes = new Bytes(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = codeOf(binary, i);
  return bytes;
}

async function sha256(bytes) {
  return new Bytes(await digestWith(subtleOf(crypto), 'SHA-256', bytes));
}

function randomBytes() {
  return fillRandom(crypto, new Bytes(NONCE_LENGTH));
}

/** Resolves to the SHA-256 of a text in hex; to undefined where there is no text, or the page has no crypto. */
async function digestOf(text) {
  try {
    const hash = text === undefined ? [] : await sha256(encodeText(writer, text));
    let hex = '';
    for (let i = 0; i < hash.length; i++) hex += HEX[hash[i]];
    return hex || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Has a human prove that they are there and approve a question. Resolves to {id, nonce, challenge, assertion}, with which a
 * server can verify it; rejects where they do not, with a NotSupportedError where nobody can.
 */
async function proofOf({ id, name, input, digest, verify, at, timeout, controller: { signal } }) {
  if (digest === undefined) throw new NotSupportedError('the input has no digest: it is no JSON, or the page is not secure');
  const nonce = textOfBytes(randomBytes());
  // Nothing in these four has to be escaped.
  const challenge = await sha256(encodeText(writer, `["${id}","${name}","${digest}","${nonce}"]`));
  let assertion;
  for (let i = 0; i < verify.length; i++) {
    const how = verify[i];
    const said = how === 'passkey' ? await assert(challenge, signal, at + timeout - timeNow())
      : await untilAborted(new NativePromise((settle) => settle(how(new Bytes(challenge).buffer, { signal, id, tool: name, input, digest, nonce }))), signal);
    if (!said) throw new Error('verify returned nothing');
    assertion ??= said;
  }
  return Object.freeze({ id, nonce, challenge: textOfBytes(challenge), assertion: asJSON(assertion) });
}

/** Returns what goes to a server: an assertion of the browser as JSON has it, all else as it is. */
function asJSON(assertion) {
  try {
    return assertionOf(assertion);
  } catch {
    return assertion;
  }
}

function assertionOf(credential) {
  const id = textOfBytes(idOf(credential)), response = responseOf(credential), user = userOf(response);
  return Object.freeze({
    id, rawId: id, type: 'public-key', clientExtensionResults: Object.freeze({}),
    response: Object.freeze({
      clientDataJSON: textOfBytes(clientDataOf(response)), authenticatorData: textOfBytes(authenticatorDataOf(response)),
      signature: textOfBytes(signatureOf(response)), ...(user && { userHandle: textOfBytes(user) }),
    }),
  });
}

/** Has the human confirm a challenge with the passkey of the page. Resolves to an assertion that is right. */
async function assert(challenge, signal, ms) {
  checkBrowser();
  const known = passkey ?? stored();
  if (known === undefined) throw new NotSupportedError('the page has no passkey: the human makes one with webmcp.approvals.enrol()');
  const publicKey = {
    __proto__: null, challenge, userVerification: 'required', allowCredentials: [{ __proto__: null, type: 'public-key', id: bytesOfText(known.id) }],
  };
  if (ms < Infinity) publicKey.timeout = ms > 0 ? ms : 0;
  let credential;
  try {
    credential = await getCredential(credentials, { __proto__: null, publicKey, signal });
  } catch (error) {
    // All that a human does, and does not do, is a NotAllowedError.
    if (signal.aborted || nameOf(error) === 'NotAllowedError') throw error;
    throw new NotSupportedError('passkeys do not work here', { cause: error });
  }
  const fault = await faultOf(credential, challenge, known);
  if (fault !== undefined) throw new Error(fault);
  return credential;
}

function checkBrowser() {
  if (credentials === undefined || getCredential === undefined || idOf === undefined) throw new NotSupportedError('this browser has no passkeys, or the page is not secure');
}

/** Returns what is wrong with an assertion; undefined where it is right. */
async function faultOf(credential, challenge, { id, publicKey, algorithm }) {
  const response = responseOf(credential);
  const clientData = new Bytes(clientDataOf(response)), authenticatorData = new Bytes(authenticatorDataOf(response));
  const said = JSON.parse(decodeText(reader, clientData));
  if (textOfBytes(idOf(credential)) !== id) return 'another passkey has answered';
  if (said.type !== 'webauthn.get' || said.origin !== ownOrigin) return 'the passkey has answered something else';
  if (said.challenge !== textOfBytes(challenge)) return 'the passkey has answered another challenge';
  const host = await sha256(encodeText(writer, ownHost));
  for (let i = 0; i < HASH_LENGTH; i++) if (authenticatorData[i] !== host[i]) return 'the passkey is another site\'s';
  const flags = authenticatorData[HASH_LENGTH];
  if (!(flags & USER_PRESENT) || !(flags & USER_VERIFIED)) return 'the passkey has not verified its user';
  const signed = new Bytes(authenticatorData.length + HASH_LENGTH);
  setBytes(signed, authenticatorData);
  setBytes(signed, await sha256(clientData), authenticatorData.length);
  const signature = new Bytes(signatureOf(response));
  const is = ALGORITHMS[algorithm];
  const key = await importKey(subtleOf(crypto), 'spki', bytesOfText(publicKey), is, false, ['verify']);
  const isRight = await verifyWith(subtleOf(crypto), is, key, algorithm === ES256 ? unwrapped(signature) : signature, signed);
  return isRight === true ? undefined : 'the signature is wrong';
}

/** Returns an ECDSA signature as WebCrypto has it, two numbers of 32 bytes, of the same in ASN.1. */
function unwrapped(wrapped) {
  const pair = new Bytes(2 * HASH_LENGTH);
  let at = 2; // behind the head of the sequence
  for (let end = HASH_LENGTH; end <= pair.length; end += HASH_LENGTH) {
    const length = wrapped[at + 1];
    at += 2;
    // A number may have a zero in front, or be shorter.
    for (let i = 1; i <= length && i <= HASH_LENGTH; i++) pair[end - i] = wrapped[at + length - i];
    at += length;
  }
  return pair;
}

/** Has a human make a passkey, with which they approve from then on. */
async function enrol(name = ownHost) {
  checkBrowser();
  if (typeof name !== 'string') throw new ConfigurationError('name of enrol must be a text');
  const hasEd25519 = await generateKey(subtleOf(crypto), 'Ed25519', false, ['sign', 'verify']).then(() => true, () => false);
  const credential = await createCredential(credentials, {
    publicKey: {
      challenge: randomBytes(), rp: { name: ownHost }, user: { id: randomBytes(), name, displayName: name },
      pubKeyCredParams: Object.keys(ALGORITHMS).map(Number).filter((alg) => ALGORITHMS[alg].name !== 'Ed25519' || hasEd25519).map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' }, attestation: 'none',
    },
  });
  const response = responseOf(credential);
  passkey = { id: textOfBytes(idOf(credential)), publicKey: textOfBytes(publicKeyOf(response)), algorithm: algorithmOf(response) };
  try {
    storeIn(globalThis.localStorage, STORED, JSON.stringify(passkey));
  } catch {
    // Then it is for the life of the page.
  }
}

/** Returns the passkey that was enrolled earlier; undefined where there is none. */
function stored() {
  try {
    const { id, publicKey, algorithm } = JSON.parse(storedIn(globalThis.localStorage, STORED));
    if (!hasOwn(ALGORITHMS, algorithm)) return undefined;
    return passkey = { id, publicKey, algorithm };
  } catch {
    return undefined; // none, or the page has no storage
  }
}

const Passkey = { digestOf, proofOf, enrol };
