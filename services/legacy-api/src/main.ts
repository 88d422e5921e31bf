import { runApi } from '@busbar/runtime';
import { createLegacyApi } from './service';

void runApi('legacy-api', createLegacyApi);
