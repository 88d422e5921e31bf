// Reports of a charger of OCPP 2.x: of its variables (B07, B08), its monitors (N02) and what it has stored about a customer (N09).
import { given } from '../operations/calls';
import type { NamedComponent } from '../operations/named-variable';
import type { InputIssue, OperationTable } from '../operations/operation';
import { OWN_TOKEN, status, tokenTypeOf } from './operation-parts';
import { componentOf, UNKNOWN_NAME } from './named-variable';
import type { V2Requests } from './payloads';
import { variablePath } from './variable-operations';

const BASES = {
  configuration: 'ConfigurationInventory',
  full: 'FullInventory',
  summary: 'SummaryInventory',
} as const;

const CUSTOMERS = ['rfidTag', 'customerIdentifier', 'certificate'] as const;

export const reportOperations: OperationTable = {
  requestReport({ requestId, kind, variables, criteria }) {
    const componentVariable = variables?.map((each) => componentOf(each) ?? { component: { name: '' } });
    const named = given('componentVariable', componentVariable);
    const issues = issuesOfAll(variables ?? []);
    if (kind === 'custom') {
      const componentCriteria = criteria as V2Requests['GetReport']['componentCriteria'];
      return {
        ...status('GetReport', { requestId, ...named, ...given('componentCriteria', componentCriteria) }),
        issues,
      };
    }
    if (kind === 'monitoring') {
      const monitoringCriteria = criteria as V2Requests['GetMonitoringReport']['monitoringCriteria'];
      const payload = { requestId, ...named, ...given('monitoringCriteria', monitoringCriteria) };
      return { ...status('GetMonitoringReport', payload), issues };
    }
    const unused = [...(variables ? ['variables'] : []), ...(criteria ? ['criteria'] : [])];
    return {
      ...status('GetBaseReport', { requestId, reportBase: BASES[kind] }),
      issues: unused.map((field) => ({ path: `/${field}`, message: 'is of the kinds custom and monitoring alone' })),
    };
  },
  customerInformation(input, { tag }, version) {
    const { requestId, report, clear, rfidTag, customerIdentifier, certificate } = input;
    const idToken =
      rfidTag === undefined ? undefined : { idToken: rfidTag, type: tokenTypeOf(version, tag?.type, OWN_TOKEN) };
    const [, ...further] = CUSTOMERS.filter((field) => input[field] !== undefined);
    const isMissing = CUSTOMERS.every((field) => input[field] === undefined);
    return {
      ...status('CustomerInformation', {
        requestId,
        report,
        clear,
        ...given('idToken', idToken),
        ...given('customerIdentifier', customerIdentifier),
        ...given('customerCertificate', certificate),
      }),
      issues: [
        ...(isMissing ? [{ path: '/rfidTag', message: `is missing: give one of ${CUSTOMERS.join(', ')}` }] : []),
        ...further.map((field) => ({ path: `/${field}`, message: 'excludes the other names of the customer' })),
      ],
    };
  },
};

function issuesOfAll(variables: readonly NamedComponent[]): InputIssue[] {
  return variables.flatMap((each, n): InputIssue[] => {
    if (componentOf(each) !== undefined) return [];
    const at = `/variables/${String(n)}`;
    if (each.name !== undefined) return [{ path: `${at}/name`, message: UNKNOWN_NAME }];
    return [{ path: at, message: 'needs name or component' }];
  });
}

/** The path of a field in the input of `requestReport`, by its path in the payload. */
export function reportPath(parts: readonly string[]): string {
  const [field = '', at = '0'] = parts;
  if (field === 'monitoringCriteria' || field === 'componentCriteria') return `/criteria/${at}`;
  return field === 'componentVariable' ? variablePath(parts) : `/${field}`;
}

/** The same of `customerInformation`. */
export function customerPath([field = '', ...rest]: readonly string[]): string {
  if (field === 'idToken') return '/rfidTag';
  return `/${[field === 'customerCertificate' ? 'certificate' : field, ...rest].join('/')}`;
}
