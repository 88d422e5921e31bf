import { runApi } from '@busbar/api';
import { createLegacyApi } from './service';

void runApi('legacy-api', createLegacyApi);
