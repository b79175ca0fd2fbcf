import { describe, expect, test } from 'vitest';
import { checkSignature } from '../../src/platform/webhook-proof.ts';

/** What the reference libraries of the Standard Webhooks specification are tested with. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const CALL = {
  body: '{"test": 2432232314}',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
/** The headers that the specification shows: of two schemes, neither made with a secret of ours. */
const OTHERS =
  'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==';

function check(changes: Partial<typeof CALL> = {}, secrets = [SECRET], now = 1_614_265_330) {
  const { body, ...headers } = { ...CALL, ...changes };
  return checkSignature({ ...headers, body: new Uint8Array(new TextEncoder().encode(body)) }, secrets, now);
}

describe('the example of the Standard Webhooks specification verifies', () => {
  test.each<[string, Parameters<typeof check>]>([
    ['as it is', []],
    ['beside signatures of other schemes and keys', [{ signature: `${OTHERS} ${CALL.signature}` }]],
    ['before them', [{ signature: `${CALL.signature} ${OTHERS}` }]],
    ['with a second secret, during a rotation', [{}, [`whsec_${btoa('a secret of twenty-four bytes')}`, SECRET]]],
    ['five minutes later', [{}, [SECRET], 1_614_265_630]],
    ['with a clock five minutes behind', [{}, [SECRET], 1_614_265_030]],
  ])('%s', async (_name, call) => {
    expect(await check(...call)).toEqual({ id: CALL.id });
  });
});

describe('and not', () => {
  test.each<[string, Parameters<typeof check>, RegExp]>([
    ['with another body', [{ body: '{"test": 2432232315}' }], /webhook-signature matches none/],
    ['with the body written anew', [{ body: '{"test":2432232314}' }], /matches none/],
    ['with another id', [{ id: 'msg_p5jXN8AQM9LWM0D4loKWxJel' }], /matches none/],
    ['with another timestamp', [{ timestamp: '1614265331' }], /matches none/],
    ['with another secret', [{}, [`whsec_${btoa('a secret of twenty-four bytes')}`]], /matches none/],
    ['without the prefix of its version', [{ signature: CALL.signature.slice(3) }], /matches none/],
    ['with the signatures of others alone', [{ signature: OTHERS }], /matches none/],
    ['with none', [{ signature: '' }], /matches none/],
    ['without an id', [{ id: '' }], /webhook-id must have 1 to 256/],
    ['without a timestamp', [{ timestamp: '' }], /webhook-timestamp must be Unix seconds/],
    ['five minutes and a second later', [{}, [SECRET], 1_614_265_631], /within 300 seconds/],
    ['five minutes and a second before', [{}, [SECRET], 1_614_265_029], /within 300 seconds/],
  ])('%s', async (_name, call, fault) => {
    expect(await check(...call)).toEqual({ fault: expect.stringMatching(fault) });
  });
});
