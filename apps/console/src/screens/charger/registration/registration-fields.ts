// What the owner of a charger sets: of the charger, and of each socket. Pure.
import type { FieldOptions, RecordField } from '../../../records/record-fields';
import { registrationTexts } from '../../../texts/registration';

const words = registrationTexts;

/** Whether admission has an effect: OCPP 1.6 always accepts. A charger that never connected may speak either. */
export function hasAdmission(ocppVersion: string | null): boolean {
  return ocppVersion === null || ocppVersion.startsWith('ocpp2');
}

const ADMISSION: RecordField = {
  name: 'admission',
  label: words.admission,
  kind: 'choice',
  hint: words.admissionHint,
  options: Object.entries(words.admissions),
};

const LOCATION: readonly RecordField[] = (
  [
    ['streetAddress', 'text'],
    ['streetNumber', 'text'],
    ['houseLetter', 'text'],
    ['postalNumber', 'text'],
    ['city', 'text'],
    ['area', 'text'],
    ['country', 'text'],
    ['latitude', 'number'],
    ['longitude', 'number'],
  ] as const
).map(([name, kind]) => ({
  name: `location.${name}`,
  label: words.location[name],
  kind,
  group: words.groups.location,
}));

const COMPATIBILITY: readonly RecordField[] = Object.entries(words.compatibility).map(([name, label]) => ({
  name: `compatibility.${name}`,
  label,
  kind: 'check',
  group: words.groups.compatibility,
}));

const VERSIONS: RecordField = {
  name: 'compatibility.ocppVersions',
  label: words.ocppVersions,
  kind: 'names',
  hint: words.ocppVersionsHint,
  group: words.groups.compatibility,
};

const { integration } = words.groups;

/** In the order of the form. */
export function chargerFields(sites: FieldOptions, ocppVersion: string | null): readonly RecordField[] {
  return [
    { name: 'name', label: words.name, kind: 'text', required: true, maxLength: 200 },
    { name: 'siteId', label: words.site, kind: 'site', options: sites, required: true },
    ...(hasAdmission(ocppVersion) ? [ADMISSION] : []),
    { name: 'physicalReference', label: words.physicalReference, kind: 'text', hint: words.physicalReferenceHint },
    { name: 'evseId', label: words.evseId, kind: 'text', hint: words.evseIdHint },
    { name: 'splitEvseBySocket', label: words.splitEvseBySocket, kind: 'check' },
    { name: 'capabilities', label: words.capabilities, kind: 'names', hint: words.namesHint, maxLength: 5_000 },
    ...LOCATION,
    {
      name: 'pushIntegrationEnabled',
      label: words.push,
      kind: 'check',
      hint: words.pushHint,
      group: integration,
    },
    {
      name: 'integrationRelays',
      label: words.relays,
      kind: 'names',
      hint: words.relaysHint,
      maxLength: 5_000,
      group: integration,
    },
    {
      name: 'customProperties',
      label: words.customProperties,
      kind: 'json',
      hint: words.customPropertiesHint,
      group: integration,
    },
    ...COMPATIBILITY,
    VERSIONS,
  ];
}

export const SOCKET_FIELDS: readonly RecordField[] = [
  { name: 'name', label: words.socketName, kind: 'text' },
  { name: 'type', label: words.socketType, kind: 'text', hint: words.socketTypeHint },
  { name: 'format', label: words.socketFormat, kind: 'text', hint: words.socketFormatHint },
  { name: 'socketPowerType', label: words.socketPowerType, kind: 'text', hint: words.socketPowerTypeHint },
  { name: 'maxPower', label: words.maxPower, kind: 'text', hint: words.maxPowerHint },
  { name: 'maxWatts', label: words.maxWatts, kind: 'number' },
  { name: 'maxVoltage', label: words.maxVoltage, kind: 'number' },
  { name: 'maxAmperage', label: words.maxAmperage, kind: 'number' },
  { name: 'phaseRotation', label: words.phaseRotation, kind: 'text', hint: words.phaseRotationHint },
];
