/** Firebase's identity service, as far as an anonymous sign-in with the SDK's connectAuthEmulator() needs it. */
import { createServer } from 'node:http';

const part = (/** @type {object} */ json) => Buffer.from(JSON.stringify(json)).toString('base64url');

/** An ID token as the Auth emulator makes them: unsigned. Each is another one. @param {string} uid @param {number} number */
function newToken(uid, number) {
  const now = Math.floor(Date.now() / 1000);
  const firebase = { identities: {}, sign_in_provider: 'anonymous' };
  const claims = { sub: uid, user_id: uid, jti: `${number}`, aud: 'demo', iss: 'https://securetoken.google.com/demo', iat: now, exp: now + 3600, auth_time: now, firebase };
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}

/** @param {string} authorization A request's header. @returns {{uid: string, number: string}} Whose token it is, and which one. */
export function claimsOf(authorization) {
  const { sub, jti } = JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
  return { uid: sub, number: jti };
}

export class IdentityServer {
  /** How long tokens are good for, as it tells the SDK; under half a minute the SDK asks for another each time. */
  secondsOfTokens = 3600;
  /** What it was asked for: `signUp`, `token`, `lookup`. @type {string[]} */
  asked = [];
  /** Answers about accounts wait for it. @type {Promise<unknown>} */
  held = Promise.resolve();
  #people = 0;
  #tokens = 0;
  // A page that leaves in the middle of its request is no fault of a test.
  #server = createServer((request, response) => this.#answer(request, response).catch(() => response.destroy()));

  async start() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
    return this;
  }

  get url() {
    return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.#server.address()).port}`;
  }

  /** The number of the token that was given last. */
  get lastToken() {
    return `${this.#tokens}`;
  }

  stop() {
    return new Promise((resolve) => {
      this.#server.close(() => resolve(undefined));
      this.#server.closeAllConnections();
    });
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #answer(request, response) {
    const { origin = '*', 'access-control-request-headers': headers = '' } = request.headers;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-headers', headers);
    if (request.method === 'OPTIONS') {
      response.end();
      return;
    }
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const [, method = ''] = /\/v1\/(?:accounts:)?(\w+)/.exec(request.url ?? '') ?? [];
    this.asked.push(method);
    if (method === 'lookup') await this.held;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(this.#about(method, body)));
  }

  /** @param {string} method @param {string} body */
  #about(method, body) {
    if (method === 'lookup') {
      const { uid } = claimsOf(JSON.parse(body).idToken);
      return { users: [{ localId: uid, providerUserInfo: [], lastLoginAt: '0', createdAt: '0' }] };
    }
    if (method === 'signUp') this.#people += 1;
    const uid = method === 'signUp' ? `person${this.#people}` : String(new URLSearchParams(body).get('refresh_token'));
    this.#tokens += 1;
    const token = newToken(uid, this.#tokens);
    const life = `${this.secondsOfTokens}`;
    return method === 'signUp'
      ? { idToken: token, refreshToken: uid, expiresIn: life, localId: uid }
      : { access_token: token, id_token: token, refresh_token: uid, expires_in: life, user_id: uid, project_id: 'demo' };
  }
}
