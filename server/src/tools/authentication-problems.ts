import type { ApiAuthentication } from "@frontdesk/protos/ces/auth";
import type { OutboundRoute } from "#outbound";
import { variableNamed } from "#outbound";

const SECRET = /^projects\/[^/]+\/secrets\/[^/]+\/versions\/[^/]+$/;

/** Validation errors of authentication settings, one sentence each without a full stop. Sends no request and reads no secret. */
export function authenticationProblems({ apiAuthentication, endUserAuth }: OutboundRoute): readonly string[] {
  return [...(apiAuthentication ? apiProblems(apiAuthentication) : []), ...endUserProblems(endUserAuth)];
}

function apiProblems({ authConfig }: ApiAuthentication): readonly string[] {
  const subject = "api_authentication";
  switch (authConfig.case) {
    case "apiKeyConfig": {
      const { keyName, apiKeySecretVersion } = authConfig.value;
      return [
        ...(keyName === "" ? [`${subject}.api_key_config: key_name is empty`] : []),
        ...secretProblem(`${subject}.api_key_config.api_key_secret_version`, apiKeySecretVersion),
      ];
    }
    case "oauthConfig": {
      const { clientSecretVersion, tokenEndpoint } = authConfig.value;
      const isUrl = URL.canParse(tokenEndpoint) || tokenEndpoint === "$env_var";
      return [
        ...secretProblem(`${subject}.oauth_config.client_secret_version`, clientSecretVersion),
        ...(isUrl ? [] : [`${subject}.oauth_config.token_endpoint: '${tokenEndpoint}' is not a URL`]),
      ];
    }
    case "bearerTokenConfig":
      return variableProblem(`${subject}.bearer_token_config.token`, authConfig.value.token);
    default:
      return [];
  }
}

function endUserProblems(config: OutboundRoute["endUserAuth"]): readonly string[] {
  const subject = "auth_config";
  switch (config?.authConfig.case) {
    case "oauth2AuthCodeConfig":
      return variableProblem(`${subject}.oauth2_auth_code_config.oauth_token`, config.authConfig.value.oauthToken);
    case "oauth2JwtBearerConfig": {
      const { issuer, subject: about, clientKey } = config.authConfig.value;
      const field = `${subject}.oauth2_jwt_bearer_config`;
      return [
        ...variableProblem(`${field}.issuer`, issuer),
        ...variableProblem(`${field}.subject`, about),
        ...variableProblem(`${field}.client_key`, clientKey),
      ];
    }
    default:
      return [];
  }
}

/** A value of another form may be the secret itself, so it is not quoted. */
function secretProblem(field: string, name: string): readonly string[] {
  return SECRET.test(name) || name === "$env_var"
    ? []
    : [`${field}: must have the form projects/P/secrets/S/versions/V`];
}

function variableProblem(field: string, reference: string): readonly string[] {
  return variableNamed(reference) === undefined ? [`${field}: must have the form $context.variables.NAME`] : [];
}
