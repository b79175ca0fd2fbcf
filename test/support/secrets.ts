/** Secrets of the tests; none of them is used anywhere else. */
export const TEST_SECRETS = {
  WEBHOOK_SECRETS: `whsec_${btoa('a webhook secret of the tests!!!')},whsec_${btoa('an older webhook secret of tests')}`,
  PUBLISH_TOKEN: 'publish-token-of-the-tests-0123456789',
  TOKEN_SECRETS: 'k2:the-newer-token-secret-of-the-tests,k1:the-older-token-secret-of-the-tests',
  SUPPRESSION_KEY: 'suppression-key-of-the-tests-0123456789',
  ADMIN_TOKEN: 'admin-token-of-the-tests-0123456789abc',
};
