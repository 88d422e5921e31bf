// For `readSettings`: whether the URLs of broker and store agree with their other settings. Nothing is connected here.
import { checkStoreUrl } from '@busbar/store';
import { brokerTlsFrom, storeCaFileFrom, type ClientTlsFiles } from '../tls/client-tls';
import { dataDirectoryOf } from './platform';
import type { SettingsCheck } from '../settings/setting';

type BrokerSettings = Required<Pick<ClientTlsFiles, 'brokerCaFile' | 'brokerCertFile' | 'brokerKeyFile'>> & {
  readonly brokerUrl: string;
};
type StoreSettings = Required<Pick<ClientTlsFiles, 'storeCaFile'>> & { readonly storeUrl: string };

export const brokerCheck: SettingsCheck<BrokerSettings> = {
  of: ['brokerUrl', 'brokerCaFile', 'brokerCertFile', 'brokerKeyFile'],
  check(settings) {
    brokerTlsFrom(settings.brokerUrl, settings);
  },
};

export const storeCheck: SettingsCheck<StoreSettings> = {
  of: ['storeUrl', 'storeCaFile'],
  check(settings) {
    const { storeUrl: url } = settings;
    const caFile = storeCaFileFrom(url, settings);
    if (dataDirectoryOf(url) === undefined) checkStoreUrl({ url, caFile });
  },
};
