/** Name of the list in a folder of bundled modules: by the address of each, that of the file that stands for it. */
export const MODULE_LIST = "modules.json";
