// The operator's token, and what is sent with it.

import { Problem } from "../player/errors.ts";
import type { House } from "../player/house.ts";

/** Where the token is, for this tab alone. */
const TOKEN = "operator";
export const operatorToken = () => sessionStorage.getItem(TOKEN) ?? "";
export const keepToken = (token: string) => sessionStorage.setItem(TOKEN, token);
export const forgetToken = () => sessionStorage.removeItem(TOKEN);

/** Send a command of the operator, or forget a token that the house does not take. */
export const operate = (house: House, path: string, body: Record<string, any>): Promise<any> =>
  house.operate(path, body, operatorToken()).catch(forgetIfRefused);

export function forgetIfRefused(error: unknown): never {
  if (error instanceof Problem && [401, 403].includes(error.status)) forgetToken();
  throw error;
}
